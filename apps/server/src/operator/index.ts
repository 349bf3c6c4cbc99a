/** The public functions of this domain. */
export { unreadAnswers } from './chat/service.ts'
