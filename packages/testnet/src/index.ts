export { type Postgres, type PostgresOptions, startPostgres } from './postgres.ts'
