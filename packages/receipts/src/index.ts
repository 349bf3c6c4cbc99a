export * from './claims.ts'
