/** What servers share about certificates by ACME: accounts, keys, open orders, answers for a CA, quotas. */
export const up = `
create table certificate_documents (
  key text primary key,
  -- Sealed with a key of the server's secret.
  value text not null
);
`
