/** Several codes of an address live side by side, and what anybody may ask for is counted by who asks. */
export const up = `
-- Codes live minutes: whoever waits for one asks again.
delete from codes;
alter table codes drop constraint codes_pkey;
-- Who asked for it, whose five tries nobody else can use up.
alter table codes add column network text not null;
-- Tries of everybody else, together.
alter table codes add column other_tries int not null default 0;
alter table codes add primary key (purpose, address, code_hash);
create index codes_end on codes (expires_at);

alter table passkey_challenges add column network text not null default '';
create index passkey_challenges_network on passkey_challenges (network, expires_at);

alter table sign_in_flows add column network text not null default '';
create index sign_in_flows_network on sign_in_flows (network, expires_at);

create index sign_ins_refused on sign_ins (ip, at) where not ok;
`
