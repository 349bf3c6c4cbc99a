/** Numbers of the product, each with the section of the specification that fixes it. Sizes in bytes, times in ms unless named. */

export const MiB = 1024 * 1024
export const GiB = 1024 * MiB

/** Spec 9, storage plans: the free plan stores 100 MiB and sends 1 GiB a month. */
export const FREE_STORAGE = 100 * MiB
export const FREE_DOWNLOAD_TRAFFIC = 1 * GiB
/** Spec 9: label of the free plan's largest upload; the actual limit is the remaining storage. */
export const FREE_FILE_MAX = 1 * GiB
/** Decisions 35: a VIP stores 5 GiB, sends 1000 GB a month and has no visit limit. */
export const VIP_STORAGE = 5 * GiB
export const VIP_DOWNLOAD_TRAFFIC = 1000 * GiB
/** Spec 5 and 9: anonymous files, at most 100 MiB. */
export const TEMP_FILE_MAX = 104_857_600
/** Decisions 56: 24 hours, 60 uploads of the same content, 20 downloads, at most three areas. */
export const TEMP_FILE_LIFE = 24 * 3600 * 1000
export const TEMP_FILE_SHARES = 60
export const TEMP_FILE_DOWNLOADS = 20
/** Looks at an anonymous file, as previews on pages take: they give the same addresses, and are no way around the downloads. */
export const TEMP_FILE_PREVIEWS = 200
export const TEMP_FILE_AREAS = 3
/** Spec 9: replicas wanted of a file, or as many as there are eligible nodes. */
export const REPLICA_TARGET = 50
/** Decisions 54: free files are kept 549 days (18 months). */
export const FREE_STORAGE_DAYS = 549
/** Decisions 50: what is deleted stays in the trash for 30 days. */
export const TRASH_LIFE = 30 * 24 * 3600 * 1000
/** Spec 9, sharing: downloads of one file by others, unless the owner is a VIP. */
export const SHARE_DOWNLOADS = 10
/** Decisions 39: the same visitor counts once in this time. */
export const SHARE_DOWNLOAD_WINDOW = 24 * 3600 * 1000
/** Spec 9: a link that expires at or after this unix second is permanent. */
export const SHARE_PERMANENT = 4_101_509_461
/** Spec 5: a short password is exactly six letters or digits. */
export const SHORT_PASS = /^[A-Za-z0-9]{6}$/
/** Spec 5: names of API keys and folders, in characters. */
export const NAME_MAX = 50
/** Asset names, in characters (wire section 16 gives the predecessor's column). */
export const ASSET_NAME_MAX = 128
/** Decisions 58. */
export const FREE_FOLDERS = 20
export const FREE_API_KEYS = 5
export const VIP_FOLDERS = 10_000
export const VIP_API_KEYS = 100
/** Spec 9: page sizes offered; a page size a client may ask for at most. */
export const PAGE_SIZES = [10, 20, 25, 50, 100] as const
export const PAGE_SIZE = 10
export const PAGE_SIZE_MAX = 100
/** Spec 9: statistic ranges in days. */
export const STATISTIC_DAYS = [1, 7, 30, 60, 90] as const

/** Spec 5: passwords. */
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 12
/** Decisions 32: codes live 5 minutes, may be asked for again after 60 s, allow 5 tries; a network gets ten a day. */
export const CODE_LIFE = 5 * 60 * 1000
export const CODE_RESEND = 60 * 1000
export const CODE_TRIES = 5
export const CODES_PER_IP_DAY = 10
/** From one network an address gets ten a day, from all together no more than this. */
export const CODES_PER_ADDRESS_DAY = 50
/** Of one network, for whichever accounts. */
export const WRONG_PASSWORDS_PER_NETWORK_HOUR = 50
/** Wire 1.3: sessions last 24 h, are rotated below 12 h, for at most 7 days in a row. */
export const SESSION_LIFE = 24 * 3600 * 1000
export const SESSION_ROTATE_BELOW = 12 * 3600 * 1000
export const SESSION_CHAIN = 7 * 24 * 3600 * 1000

/** A ticket of the second factor lives 5 minutes and allows 5 tries; a passkey's challenge lives as long. */
export const SECOND_FACTOR_LIFE = 5 * 60 * 1000
export const SECOND_FACTOR_TRIES = 5
/** What changes how an account is entered asks for a proof this young. */
export const PROOF_LIFE = 10 * 60 * 1000
export const RECOVERY_CODES = 10
export const PASSKEYS_MAX = 20
/** A key signs sessions for this long. */
export const SESSION_KEY_LIFE = 30 * 24 * 3600 * 1000

/** Wire 3.2: a text to be signed by a wallet lives 5 minutes. */
export const NONCE_LIFE = 5 * 60 * 1000
/** Decisions 24: after a wallet was unbound, neither it nor its account can be bound to another for this long. */
export const WALLET_COOLDOWN = 24 * 3600 * 1000

/** A sign-in through another service takes at most this long; what it hands over lives 2 minutes. */
export const IDENTITY_FLOW_LIFE = 10 * 60 * 1000
export const IDENTITY_HANDOVER_LIFE = 2 * 60 * 1000

/** Spec 9, archive packaging. */
export const CHUNK_SIZE = 262_144
export const LINKS_PER_NODE = 174
export const DIRECTORY_SHARD_ABOVE = 1000
export const BLOCK_MAX = 1_048_576
/** Wire 11.1: largest file a node takes. */
export const NODE_FILE_MAX = 100 * GiB

/** Decisions 67: nodes. */
export const HEARTBEAT = 30_000
export const HEARTBEATS_MISSED = 3
export const AUDIT_WINDOW = 10
export const AUDIT_FAILURES = 2
export const AUDIT_CLEAN = 2
export const CLOCK_SKEW_MAX = 5 * 60 * 1000

/** Lifetimes of node tokens. */
export const UPLOAD_TOKEN_LIFE = 24 * 3600 * 1000
export const DOWNLOAD_TOKEN_LIFE = 3600 * 1000
export const SHARE_TOKEN_LIFE = 3600 * 1000

/** Spec 9, SDK. */
export const MD5_SLICE = 20 * MiB
export const UPLOAD_RETRIES = 3
export const UPLOAD_BACKOFF = 1000
export const UPLOAD_BUDGET_PER_MB = 10_000
export const UPLOAD_BUDGET_MIN = 30_000
/** How long to ask for the file's address after an upload, in ms. */
export const UPLOAD_URL_WAIT = 2000
export const DOWNLOAD_CHUNK_MAX = 10 * MiB
export const DOWNLOAD_RANGE = 1 * MiB
export const DOWNLOAD_CONCURRENCY = 10
export const DOWNLOAD_CONCURRENCY_MIN = 1
export const DOWNLOAD_CONCURRENCY_MAX = 20
/** How many first blocks of a folder's entries are fetched at once. */
export const FOLDER_CONCURRENCY = 3
export const DOWNLOAD_STALL = 5000
export const AVAILABILITY_TIMEOUT = 1000
export const FIRST_BYTE_TIMEOUT = 2500
export const DOWNLOAD_TRIES_PER_ADDRESS = 3

/** Spec 9: characters of a wallet address that stay visible when it is masked. */
export const WALLET_MASK = { head: 4, tail: 1 } as const

/** Spec 9, chain calls: what the portal offers to sign, the steps that wallets offer for a unit of gas, and the digits of the fee coin. */
export const CHAIN_FEE = { amount: '500', gas: '990000' } as const
export const GAS_PRICES = { low: 0.005, average: 0.025, high: 0.03 } as const
export const FEE_COIN_DECIMALS = 6
