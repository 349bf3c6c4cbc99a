/** Certificates of nodes that public CAs issue: the queue, what they came to, and keys that two programs use. */
export const up = `
alter table node_certificates
  add column node_id text,
  -- The time in the last request, by the node's clock: a request with the same or an earlier one is a copy.
  add column request_time timestamptz,
  add column polled_at timestamptz,
  -- PKCS #10, DER in base64url: of the request that waits, or was answered.
  add column csr text,
  add column waiting_since timestamptz,
  -- When the queue looks at it again.
  add column next_at timestamptz,
  add column reached_at timestamptz,
  -- PEM, and the directory of the CA.
  add column certificate text,
  add column directory text,
  -- The node has the certificate.
  add column fetched boolean not null default true,
  add column valid_from timestamptz,
  add column valid_until timestamptz,
  add column renew_at timestamptz,
  -- What its CA suggests for the renewal, the time chosen from it, and when it is asked again.
  add column suggested_from timestamptz,
  add column suggested_until timestamptz,
  add column suggested_at timestamptz,
  add column suggestion_due_at timestamptz,
  add column problem text not null default '' check (problem in ('', 'unreached', 'quota', 'request', 'clock', 'dns', 'ca')),
  add column problem_detail text not null default '',
  add column problem_since timestamptz,
  -- Its owner got an e-mail.
  add column notified_at timestamptz;
create index node_certificates_node_id on node_certificates (node_id);
create index node_certificates_waiting on node_certificates (next_at) where waiting_since is not null;
create index node_certificates_suggestion on node_certificates (suggestion_due_at) where certificate is not null;
create index node_certificates_valid_from on node_certificates (valid_from);
create index node_certificates_valid_until on node_certificates (valid_until);
-- Keys of nodes that two programs used at the same time.
create table cloned_keys (
  node_id text primary key references nodes (id) on delete cascade,
  seen_at timestamptz not null,
  notified_at timestamptz
);
`
