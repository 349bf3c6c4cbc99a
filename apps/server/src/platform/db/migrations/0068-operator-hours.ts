/** The figures of the network by hour, for the trends in the operator area. */
export const up = `
create table operator_hours (
  hour timestamptz primary key,
  users bigint not null,
  nodes bigint not null,
  nodes_online bigint not null,
  contents bigint not null,
  short bigint not null,
  bytes bigint not null,
  -- By nodes in the 24 hours before.
  transferred bigint not null
);
`
