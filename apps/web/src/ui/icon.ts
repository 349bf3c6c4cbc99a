import { createElement, type ReactElement, type SVGProps } from 'react'

/** A drawing of lucide-react: its square in units, its lines. */
interface IconData {
  size: number
  node: readonly [tag: string, attributes: Record<string, string>][]
}

/**
 * Draws an icon of lucide-react, in place of that package's own function: vite.config.ts sees to it. Sizes, colours and all
 * else are attributes here, and an icon without a name is decoration.
 */
export default function createIcon({ size, node }: IconData): (props: SVGProps<SVGSVGElement>) => ReactElement {
  return (props) =>
    createElement(
      'svg',
      {
        xmlns: 'http://www.w3.org/2000/svg',
        width: 24,
        height: 24,
        viewBox: `0 0 ${size} ${size}`,
        fill: 'none',
        stroke: 'currentColor',
        strokeWidth: 2,
        strokeLinecap: 'round',
        strokeLinejoin: 'round',
        'aria-hidden': props['aria-label'] === undefined,
        ...props,
      },
      // As arguments and not as a list: so lines need no keys.
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
