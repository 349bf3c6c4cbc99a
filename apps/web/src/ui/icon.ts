import { createElement, type ReactElement, type SVGProps } from 'react'

/** An icon of lucide-react: size of its view box, and its shapes. */
interface IconData {
  size: number
  node: readonly [tag: string, attributes: Record<string, string>][]
}

/**
 * Replaces lucide-react's own createLucideIcon (see vite.config.ts). Sizes and colours are attributes, and an icon without
 * `aria-label` is decorative.
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
      // Passed as arguments, not as an array, so that they need no keys.
      ...node.map(([tag, attributes]) => createElement(tag, attributes)),
    )
}
