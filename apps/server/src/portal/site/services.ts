import {
  AppError,
  type contract,
  type ErrorKey,
  errorText,
  type Lang,
  type Output,
  type ServiceName,
  type ServiceState,
} from '@tidenet/contract'
import { readSpeechEngineState } from '../../compute/index.ts'
import { readExchangeOffer, readOffers } from '../../payments/index.ts'
import { providersReady, uploadNodes } from '../../storage/index.ts'
import { type Context, now } from '../context.ts'
import { FOLDERS, readReleases } from '../releases/releases.ts'

type Services = Output<typeof contract.portal.services>

/** Services that this version does not run automatically, whatever the configuration is. */
const NOT_AUTOMATIC = {
  pcdn: 'request',
  aiData: 'request',
  aiProxy: 'planned',
} as const satisfies Partial<Record<ServiceName, ServiceState>>

const NOTHING_PACKED: Readonly<Record<Lang, string>> = {
  en: 'This portal does not offer any programs to download yet.',
  cn: '本站尚未提供可下载的程序。',
}

/** A simulation stores nothing, so the service is not available. */
const NO_THIRD_PARTY: Readonly<Record<'none' | 'simulated', Record<Lang, string>>> = {
  none: {
    en: 'No third-party storage is connected to this portal.',
    cn: '本站尚未接入第三方存储。',
  },
  simulated: {
    en: 'Third parties are simulated on this portal: nothing is copied.',
    cn: '本站的第三方存储为模拟，不会复制任何数据。',
  },
}

const ENGINE_AWAY: Readonly<Record<Lang, string>> = {
  en: 'The speech engine does not answer right now. Recordings are accepted and wait for it.',
  cn: '语音引擎暂无响应，录音仍可上传并排队等待。',
}

/** The state of each service, checked against what it needs: nodes, packed programs, clusters, the chain, a speech engine, a partner for
 * exchanges and third parties. */
export async function portalServices(context: Context, lang: Lang, packed = FOLDERS.packed): Promise<Services> {
  const { config } = context
  const [storage, containers, engine, exchange] = await Promise.all([
    whyNoStorage(context, lang),
    whyNoContainers(context, lang),
    readSpeechEngineState(context),
    readExchangeOffer(context, lang),
  ])
  const thirdParty = providersReady(context)
  const lacking = {
    storage,
    anonymous: storage,
    // Nodes near readers are found among those that take uploads.
    acceleration: storage,
    thirdParty: thirdParty === 'real' ? '' : NO_THIRD_PARTY[thirdParty][lang],
    network: readReleases({ ...FOLDERS, packed }).some(({ kind }) => kind !== 'extension') ? '' : NOTHING_PACKED[lang],
    containers,
    whisper: engine === 'none' ? errorText('speechNoEngine', lang) : engine === 'unreachable' ? ENGINE_AWAY[lang] : '',
    exchange: exchange.reason,
  } satisfies Partial<Record<ServiceName, string>>
  const measured = Object.entries(lacking).map(([name, reason]) => ({
    name: name as ServiceName,
    state: reason === '' ? ('available' as const) : ('unavailable' as const),
    reason,
  }))
  const others = Object.entries(NOT_AUTOMATIC).map(([name, state]) => ({
    name: name as ServiceName,
    state,
    reason: '',
  }))
  return {
    list: [...measured, ...others],
    mail: { sent: config.smtpUrl !== '', operators: config.smtpUrl !== '' && config.operatorMail !== '' },
    third_party: thirdParty,
    speech: engine,
    networks: [
      { testnet: 4, url: context.portalUrl() },
      { testnet: 3, url: config.links.testnet3 },
    ],
    measured_at: now(context).toISOString(),
  }
}

/** Why storage is unavailable; empty if a node accepts uploads right now. */
const whyNoStorage = (context: Context, lang: Lang): Promise<string> =>
  uploadNodes(context, { areas: [], size: 1 }).then(
    () => '',
    (error: unknown) => {
      if (error instanceof AppError) return errorText(error.key as ErrorKey, lang, error.facts as never)
      throw error
    },
  )

/** Why containers are unavailable; empty if an order can be paid and a cluster can run it. */
async function whyNoContainers(context: Context, lang: Lang): Promise<string> {
  const { chain, clusters } = await readOffers(context, lang)
  if (!chain.ready) return chain.reason
  return clusters.some(({ ready }) => ready) ? '' : (clusters[0]?.reason ?? '')
}
