export { type BlockedFile, REPORT_TARGET_MAX, REPORT_TEXT_MAX } from './api/abuse.ts'
export { ACCELERATION_STATES, type AccelerationInfo, type AccelerationState, NEAR_CAUSES } from './api/acceleration.ts'
export { ACTIVITY_KINDS, type ActivityEntry, type ActivityKind } from './api/activity.ts'
export { type AdminUser, type AuditRow, QUOTA_MAX } from './api/admin.ts'
export {
  BLOCK_CATEGORIES,
  type BlockCategory,
  type BlockObjection,
  type ContentBlock,
  type PublishedRoot,
  type ReportCase,
} from './api/admin-blocks.ts'
export type { AdminExchange } from './api/admin-exchange.ts'
export { ADMIN_NOTE_MAX, ADMIN_PAGE } from './api/admin-fields.ts'
export {
  ADMIN_PROBLEMS,
  type AdminContent,
  type AdminProblem,
  type AdminProblemKind,
  type AdminTrend,
} from './api/admin-health.ts'
export {
  type AdminDispute,
  type AdminLead,
  type AdminMail,
  type AdminSupport,
  MAIL_STATES,
  type MailState,
} from './api/admin-inbox.ts'
export type { AdminNode } from './api/admin-nodes.ts'
export type { ChainAmount, ChainMessage, ChainSettings, DecodedTransaction } from './api/chain.ts'
export type { ChatConversation, ChatMessage } from './api/chat.ts'
export type { CannedAnswer, DeskConversation, DeskMessage, DeskNote } from './api/chat-desk.ts'
export { OBLIGATIONS, type Obligation } from './api/closing.ts'
export { ATTENTION } from './api/dashboard.ts'
export { OWNER_CODE, type OwnedDevice } from './api/devices.ts'
export {
  DISPUTE_TEXT_MAX,
  type EarnedAmounts,
  type EarningDispute,
  type EarningHour,
  type UnearnedKind,
} from './api/earnings.ts'
export type { ExchangeOrder, ExchangePayment } from './api/exchange.ts'
export { type ExplorerNode, NODE_SORTS, type NodeSort, type Transfer } from './api/explorer.ts'
export { CLAIM_STATES, type Claim, type ClaimState } from './api/faucet.ts'
export { ITEM_KINDS, SORTS } from './api/folders.ts'
export { IDENTITY_FAILURES, type IdentityFailure } from './api/identities.ts'
export type { ImportItem, ImportJob } from './api/imports.ts'
export { LEAD_KINDS, LEAD_NAME_MAX, LEAD_TEXT_MAX, type LeadKind } from './api/leads.ts'
export { SERVICE_STATES, SERVICES, type ServiceName, type ServiceState } from './api/portal.ts'
export {
  PUBLICATION_FAILURES,
  PUBLICATION_STATES,
  PUBLICATIONS_MAX,
  PUBLISHED_BLOCKS_MAX,
  PUBLISHED_FILES_MAX,
  PUBLISHED_FOLDER_FILES_MAX,
  PUBLISHED_LEVELS_MAX,
  type Publication,
} from './api/publications.ts'
export type { Release } from './api/releases.ts'
export {
  POINT_KINDS,
  POINTS_MAX,
  type PointEntry,
  type PointKind,
  REDEEM_BLOCKERS,
  type Redemption,
  type RedemptionState,
} from './api/rewards.ts'
export { PUT_OBJECTS_MAX, REMOVE_OBJECTS_MAX } from './api/s3.ts'
export { OBJECT_KEY_MAX, type ObjectTag, type S3Object } from './api/s3-fields.ts'
export type { LifecycleRuleOfBucket } from './api/s3-settings.ts'
export { type ObjectPart, PARTS_MAX } from './api/s3-uploads.ts'
export type { Device, OpenSession, Place, SignInRecord } from './api/sessions.ts'
export type { ShortLink } from './api/short-links.ts'
export type { SpeechSegment, SpeechTask } from './api/speech.ts'
export type { AdminThirdParty, ThirdPartyRecord } from './api/third-party.ts'
export type { DownloadReceipt } from './api/traces.ts'
export { ITEMS_MAX, type ItemResult, type TrashItem } from './api/trash.ts'
export type { AssetVersion } from './api/versions.ts'
export { WALLET_KINDS, type WalletKind } from './api/wallets.ts'
export * from './audit-actions.ts'
export * from './chat.ts'
export {
  COMPOSE_NOTES,
  COMPOSE_PROBLEMS,
  type ComposedFile,
  type ComposeNote,
  type ComposeProblem,
} from './compose-files.ts'
export {
  CONNECT_CLOSES,
  CONNECT_FRAME_MAX,
  CONNECT_PATH,
  CONNECT_PROTOCOL,
  CONNECTIONS_MAX,
  EXEC_FRAMES,
  EXEC_SIGNALS,
} from './connections.ts'
export * from './constants.ts'
export { type Contract, contract, type OperationName, type RouteOf } from './contract.ts'
export { AppError, type ErrorFacts, type ErrorKey, errors, errorText, type Facts, isErrorKey } from './errors.ts'
export * from './exchange.ts'
export { FOLDER_SCOPE, type FolderScope, type ScopedField } from './folder-scope.ts'
export {
  FOLDER_FILES_MAX,
  FOLDER_PROBLEMS,
  FOLDER_SKIPS,
  FOLDER_STATES,
  type FolderProblem,
  type FolderSkip,
  type ShownFolder,
} from './folders-in-programs.ts'
export {
  IMPORT_FILE_MAX,
  IMPORT_KINDS,
  IMPORT_PROBLEMS_MAX,
  IMPORT_REASON_NAMES,
  IMPORT_REASONS,
  IMPORT_STATES,
  IMPORTS_OPEN_MAX,
  IMPORTS_PER_DAY,
  IMPORTS_RUNNING_MAX,
  type ImportKind,
  type ImportReason,
  type ImportState,
  importErrorText,
  TEMPORARY_REASONS,
} from './imports.ts'
export {
  bodyHint,
  controlHint,
  formatHint,
  type InputFormat,
  type InputIssue,
  inputHint,
  missingHint,
} from './input-hints.ts'
export { type Lang, langOf, readLang } from './lang.ts'
export * from './node/control.ts'
export { nodeIdOf } from './node/identity.ts'
export { RELAY_SESSION, receivedText, relayedText, sentText } from './node/received.ts'
export * from './node/release-manifest.ts'
export * from './node/tokens.ts'
export { certificateTextsEn, certificateTextsZh } from './node-certificate-texts.ts'
export { CERTIFICATE_PROBLEMS, type CertificateProblem, type NodeCertificate } from './node-certificates.ts'
export { NODE_KINDS, type NodeKind, nodeKindOf } from './node-kinds.ts'
export * from './notifications.ts'
export * from './objects.ts'
export * from './order-enums.ts'
export * from './orders.ts'
export {
  CLUSTERS,
  type ClusterName,
  EARNING_PER_GB_MAX,
  earningsMaxOf,
  GPU_RATE,
  GPUS_MAX,
  minimumPrice,
  PRICE_PER_GB,
  planPriceMin,
  priceOf,
  RESOURCE_BOUNDS,
  type Resources,
  renewalPrice,
  STORAGE_EARNING_PER_GB_MONTH_MAX,
  STORAGE_PRICE_PER_GB_MONTH,
  TARIFF,
  TESTNET_FACTOR,
} from './price.ts'
export { AGENT_ROLES, includesRole, isAgentRole, ROLES, type Role, TEAM_ROLES, type TeamRole } from './roles.ts'
export {
  type Auth,
  type Input,
  type Output,
  type Parsed,
  PERMISSIONS,
  type Permission,
  type Route,
  route,
} from './route.ts'
export { SECOND_FACTORS, type SecondFactor, SIGN_IN_METHODS, type SignInMethod } from './sign-in-methods.ts'
export * from './speech.ts'
export * from './storage-enums.ts'
export * from './teams.ts'
export { TERMINAL_BEARER, TERMINAL_CLOSES, TERMINAL_FRAMES, TERMINAL_PATH, TERMINAL_PROTOCOL } from './terminal.ts'
export * from './third-party.ts'
export * from './thumbnails.ts'
export * from './vault.ts'
export * from './webhook-events.ts'
export * from './webhooks.ts'
export {
  type ConsoleWorkload,
  type ConsoleWorkspace,
  DOMAIN_PROBLEMS,
  DOMAINS_MAX,
  HEALTH_KINDS,
  HEALTH_START_S,
  HEALTH_STATES,
  type HealthCheck,
  type HealthState,
  LOG_LINES_MAX,
  PROGRAM_PROBLEMS,
  type ProgramProblem,
  PUBLISHED_ACCESS,
  type PublishedAccess,
  RESTART_POLICIES,
  type RestartPolicy,
  SETTINGS,
  SETTINGS_KEPT,
  type Setting,
  STOP_HOURS_MAX,
  TEMPLATE_TESTS,
  TEMPLATES,
  TERMINALS_MAX,
  type TemplateName,
  type TemplateTest,
  USAGE_HOURS_MAX,
  WORKLOAD_FAILURES,
  WORKLOAD_STATES,
  WORKLOADS_MAX,
  type WorkloadFailure,
  type WorkloadStateName,
} from './workspaces.ts'
