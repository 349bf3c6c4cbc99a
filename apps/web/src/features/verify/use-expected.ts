import {
  type AnchorAddress,
  formatAnchorAddress,
  type NetworkKey,
  parseAnchorAddress,
  publicKey,
} from '@tidenet/receipts'
import { useMemo, useState } from 'react'
import { useNetworkIdentity } from './network-identity.ts'

/** A field with words of what is expected. */
interface Words {
  text: string
  set: (text: string) => void
  isBad: boolean
}

export interface Expected {
  keys: Words
  operators: Words
  /** The portal did not give a key. */
  isMissing: boolean
  identity: { keys: readonly NetworkKey[]; anchors: readonly AnchorAddress[] }
}

const wordsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean)

/** The expected keys and addresses: what this browser remembers, or what somebody entered instead. */
export function useExpected(): Expected {
  const { identity: known, isMissing } = useNetworkIdentity()
  const [keyText, setKeyText] = useState<string>()
  const [operatorText, setOperatorText] = useState<string>()
  return useMemo(() => {
    const knownKeys = known.keys.map(({ key }) => key).join(' ')
    const keys = keyText ?? knownKeys
    const keyWords = wordsOf(keys)
    const isKnown = keyWords.length > 0 && keyWords.every((key) => known.keys.some((each) => each.key === key))
    // A remembered address belongs to the remembered keys, not to those of another network.
    const operators = operatorText ?? (isKnown ? known.anchors.map(formatAnchorAddress).join(' ') : '')
    const operatorWords = wordsOf(operators)
    return {
      keys: { text: keys, set: setKeyText, isBad: keyWords.some((key) => !publicKey.safeParse(key).success) },
      operators: {
        text: operators,
        set: setOperatorText,
        isBad: operatorWords.some((word) => !parseAnchorAddress(word)),
      },
      isMissing,
      identity: {
        keys: keyWords
          .filter((key) => publicKey.safeParse(key).success)
          .flatMap((key): NetworkKey[] => {
            const remembered = known.keys.filter((each) => each.key === key)
            return remembered.length > 0 ? remembered : [{ key }]
          }),
        anchors: operatorWords.flatMap((word) => parseAnchorAddress(word) ?? []),
      },
    }
  }, [known, isMissing, keyText, operatorText])
}
