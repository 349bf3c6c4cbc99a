import { create } from 'zustand'

/** Whether anything was uploaded or downloaded since the page was opened: until then nobody needs the code that shows it. */
export const useBegun = create<{ begun: boolean }>()(() => ({ begun: false }))

export const transfersBegin = (): void => useBegun.setState({ begun: true })
