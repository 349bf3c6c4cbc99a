import type { Context } from '../context.ts'
import type { ThirdParty } from './adapter.ts'
import type { ProviderSetting } from './config.ts'
import { createKubo } from './kubo.ts'
import { createPinningService } from './pinning-service.ts'
import { createSimulation } from './simulation.ts'

type Deps = Pick<Context, 'config' | 'clock'>

/** The configured providers, in the order in which they get replicas. */
export function providersOf({ config, clock }: Deps): ThirdParty[] {
  const { providers, hours } = config.thirdParty
  return providers.map((setting) => createProvider(setting, hours, clock))
}

function createProvider(setting: ProviderSetting, hours: number, clock: Deps['clock']): ThirdParty {
  switch (setting.kind) {
    case 'kubo':
      return createKubo(setting)
    case 'pinning':
      return createPinningService(setting)
    case 'simulation':
      return createSimulation({ name: setting.name, hours, clock })
  }
}

export const hasProviders = ({ config }: Pick<Deps, 'config'>): boolean => config.thirdParty.providers.length > 0
