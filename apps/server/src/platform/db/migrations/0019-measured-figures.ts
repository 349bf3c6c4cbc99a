/** Figures that the home page used to state without counting them. */
export const up = `
alter table network_figures add column active_wallets bigint not null default 0;
-- Of the last 30 days: how long nodes were online, of how long they were observed, and how many nodes that were.
alter table network_figures add column online_seconds double precision not null default 0;
alter table network_figures add column observed_seconds double precision not null default 0;
alter table network_figures add column observed_nodes bigint not null default 0;
`
