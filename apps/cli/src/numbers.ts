import { CommandError } from './command-error.ts'
import { texts } from './texts.ts'

/** Parses an integer option. @throws CommandError 'usage' naming the option */
export function wholeNumber(flag: string, text: string, least: number): number {
  const number = Number(text)
  if (!/^\d+$/.test(text.trim()) || !Number.isSafeInteger(number) || number < least)
    throw new CommandError(texts.usage.number(flag, least), 'usage')
  return number
}
