/** What else of a program differs from its image: { paths, entrypoint, user, workingDir }, each optional. */
export const up = `
alter table workloads add column options jsonb not null default '{}';
alter table workload_settings add column options jsonb not null default '{}';
`
