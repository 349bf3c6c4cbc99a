/** The end of a log is known as the cluster prints it: to the nanosecond, if it can. */
export const up = `
alter table workload_log_heads add last_written text;
-- The rest of the millisecond would be kept twice otherwise.
update workload_log_heads set last_count = 0,
  last_written = to_char(last_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '999999Z';
alter table workload_log_heads drop last_at;
`
