import { ciphers } from './cipher.browser.ts'
import { digest } from './digest.browser.ts'
import { get, post, send } from './http.browser.ts'
import { memoryTarget } from './memory-target.ts'
import type { Platform } from './platform.ts'
import { receiptKey } from './receipt-key.browser.ts'
import { indexedDbResumeStore } from './resume-store.browser.ts'

/** The object URL of a saved file is revoked after this, ms. */
const REVOKE_AFTER = 1000

export const platform: Platform = {
  ciphers,
  send,
  get,
  post,
  receiptKey,
  digest,
  slice: 16 << 20,
  memoryTarget: () => memoryTarget({ spill: true }),
  save(blob, name) {
    const url = URL.createObjectURL(blob)
    const link = document.createElement('a')
    link.href = url
    link.download = name
    link.click()
    setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER)
  },
  resumeStore: indexedDbResumeStore,
  language() {
    const language = globalThis.navigator?.language ?? ''
    return language.startsWith('zh') ? 'cn' : language.startsWith('en') ? 'en' : ''
  },
}
