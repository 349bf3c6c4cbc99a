/** Text of any length in the form that the server accepts. */
const FORM = /^[^\s@<>()[\],;:"\\]+@[^\s@.<>()[\],;:"\\]+(\.[^\s@.<>()[\],;:"\\]+)+$/

export const hasEmailForm = (text: string): boolean => FORM.test(text)
