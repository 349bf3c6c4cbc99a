import { CommandError } from './command-error.ts'
import { texts } from './texts.ts'

/** @throws CommandError 'usage' if more than one of these options was given */
export function oneOf<Options>(options: Options, names: readonly (keyof Options & string)[]): void {
  const [first, second] = names.filter((name) => options[name] !== undefined).map(flagOf)
  if (first && second) throw new CommandError(texts.usage.twoOf(first, second), 'usage')
}

/** `forAll` → `--for-all` */
const flagOf = (name: string): string => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
