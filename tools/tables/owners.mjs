// Only the module that owns a table writes it, and only the modules of its domain read it; others call functions of the owner.

/** The tables of each module. */
export const OWNERS = {
  'platform/attempts': ['attempts'],
  'platform/audit-log': ['audit_log'],
  'platform/db': ['migrations'],
  'platform/mail': ['mails'],
  'platform/transparency-log': ['log_queue', 'log_state', 'log_tiles', 'log_bundles'],
  'identity/accounts': ['users'],
  'identity/api-keys': ['api_keys'],
  'identity/entry': ['codes', 'code_log'],
  'identity/external-sign-in': ['identities', 'sign_in_flows'],
  'identity/second-factors': ['passkeys', 'passkey_challenges', 'totp', 'recovery_codes'],
  'identity/sessions': ['sessions', 'session_keys', 'second_factor_tickets', 'sign_ins'],
  'identity/wallets': ['wallets', 'wallet_nonces', 'wallet_releases'],
  'identity/webhooks': ['webhooks', 'webhook_deliveries'],
  'network/audits': ['audits'],
  'network/control': ['inventories', 'inventory_runs'],
  'network/devices': ['device_codes'],
  'network/explorer': ['node_figures', 'network_figures'],
  'network/nodes': ['nodes', 'node_reports', 'online_spans', 'ended_shares'],
  'network/placement': ['contents', 'replicas'],
  'network/traffic': ['transfers'],
  'storage/assets': ['assets', 'reservations'],
  'storage/contents': ['receipts', 'lost_copies_reported'],
  'storage/download-traffic': ['node_traffic', 'served_batches'],
  'storage/grants': ['upload_grants'],
  'storage/links': ['links', 'share_downloads'],
  'storage/temp-files': ['temp_files'],
  'storage/traces': ['traces', 'trace_sent', 'trace_supports'],
  'storage/trash': ['trash', 'trashed_assets', 'trashed_folders'],
  'storage/tree': ['folders', 'folder_totals', 'folder_runs'],
  'storage/uploads': ['proofs'],
  'storage/usage': ['usage_hours'],
  'compute/console': ['console_accounts', 'console_sessions', 'console_tokens'],
  'compute/workspaces': ['workspaces', 'workloads', 'workload_logs', 'workload_usage'],
  'payments/anchors': ['log_anchors'],
  'payments/earnings': [
    'earning_hours',
    'node_hours',
    'device_days',
    'earning_disputes',
    'weekly_summaries',
    'weekly_summaries_off',
  ],
  'payments/faucet': ['claims', 'claim_hours', 'claim_networks'],
  'payments/orders': ['orders', 'order_counts', 'order_events', 'order_notices', 'order_payments'],
  'payments/payouts': ['payouts'],
  'payments/rewards': ['redemptions', 'point_entries'],
  'operator/analytics': ['event_days'],
  'operator/leads': ['leads'],
}

/** Statements of other modules that are allowed: `module verb table`, and the reason. */
export const EXCEPTIONS = {
  'network/nodes reads users':
    'Claiming nodes whose owners get an e-mail needs address and lock of each owner in the same statement: it limits how many nodes it claims.',
}
