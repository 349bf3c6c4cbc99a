/** Until when the end of an order waits for the files of a program. */
export const up = `
alter table workload_folders add column ends_by timestamptz;
`
