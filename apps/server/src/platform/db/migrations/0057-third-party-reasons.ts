/** Why a third-party replica is late or failed. */
export const up = `
alter table third_party_replicas add check (reason in
  ('providerQueue', 'slow', 'unreachable', 'refused', 'lost', 'unverified', 'source', 'origin', 'unconfigured'));
`
