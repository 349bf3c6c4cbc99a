export { type Context, type Db, now } from '../network/context.ts'
