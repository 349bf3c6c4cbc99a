import { AppError, type contract, type Output, type Parsed, WORKLOADS_MAX } from '@tidenet/contract'
import type { ConsoleCaller } from '../../../platform/http/callers.ts'
import { fullImage } from '../../clusters/images.ts'
import { fitsBeside, leftOf, sum } from '../../clusters/sizes.ts'
import { readArchiveText } from '../archives.ts'
import { insertPrograms, type NewProgram } from '../deploy.ts'
import { sizeOfWorkload, sizeOfWorkspace, usesResources } from '../reconcile.ts'
import { isSupervised, offersHealth, type SizeIn, toWireSize } from '../wire.ts'
import { type Deps, lockReadyWorkspace } from '../workloads.ts'
import { type Composed, parseCompose } from './parse.ts'
import type { ComposeProgram } from './program.ts'
import { TEXT_MAX_BYTES } from './read-yaml.ts'

/**
 * Programs of a Compose file: a preview of what would be created and what is refused, or all of them in one transaction.
 * @throws AppError as the contract declares
 */
export async function deployCompose(
  context: Deps,
  caller: ConsoleCaller,
  input: Parsed<typeof contract.clusters.compose>,
  from: { ip: string },
): Promise<Output<typeof contract.clusters.compose>> {
  const { workspace, variables, preview } = input
  if ((input.text === '') === (input.file === undefined)) throw new AppError('composeText')
  const text = input.file ? await readArchiveText(context, caller, input.file, TEXT_MAX_BYTES, from.ip) : input.text
  const composed = parseCompose(text, variables)
  return context.db.transaction(async (tx) => {
    const { space, rows } = await lockReadyWorkspace(tx, caller, workspace)
    if (space.offline) throw new AppError('guestLimited')
    const { driver } = context.clusters.of(space.cluster) ?? {}
    const supervised = isSupervised(driver)
    const names = new Set(rows.map(({ name }) => name))
    const present = rows.filter(usesResources).map((row) => ({ workload: row.id, size: sizeOfWorkload(row) }))
    const limit = sizeOfWorkspace(space)
    const tooLarge = new Map<string, { asked: SizeIn; left: SizeIn }>()
    for (const { name, image, size, restart, health, user } of composed.programs) {
      const at = `services.${name}`
      const refuse = (path: string, reason: Composed['refused'][number]['reason'], detail = '') =>
        composed.refused.push({ path: `${at}${path}`, reason, detail })
      if (names.has(name)) refuse('', 'taken', name)
      if (image !== '' && !fullImage(image, context.config.clusters.registries)) refuse('.image', 'image', image)
      if (!supervised && restart === 'never') refuse('.restart', 'unsupported')
      if (!offersHealth(driver) && health) refuse('.healthcheck', 'unsupported')
      if (!supervised && user !== '') refuse('.user', 'unsupported')
      // Clusters that restart programs by themselves always do.
      if (!fitsBeside(limit, present, { id: name, size })) {
        const left = leftOf(limit, sum(present.map((one) => one.size)))
        tooLarge.set(at, { asked: toWireSize(size), left: toWireSize(left) })
        refuse('', 'full')
      }
      present.push({ workload: name, size })
    }
    if (rows.length + composed.programs.length > WORKLOADS_MAX)
      composed.refused.push({ path: 'services', reason: 'many', detail: String(composed.programs.length) })
    const answer = {
      programs: composed.programs.map(toWireProgram),
      refused: composed.refused.map((one) => ({
        ...one,
        size: (one.reason === 'full' && tooLarge.get(one.path)) || null,
      })),
      notes: composed.notes,
      variables: composed.variables,
    }
    if (preview) return { ...answer, ids: [] }
    const [first] = composed.refused
    if (first)
      throw new AppError('composeRefused', { path: first.path || 'compose.yaml', count: composed.refused.length })
    const programs = composed.programs.map((program) => newProgram(context, program, supervised))
    return { ...answer, ids: await insertPrograms(context, tx, caller, { space, rows, programs }, from) }
  })
}

function newProgram({ config }: Deps, program: ComposeProgram, supervised: boolean): NewProgram {
  const { name, command, env, ports, size, restart, health, paths, entrypoint, user, workingDir } = program
  return {
    ...{ name, command, env, ports, size, health },
    template: '',
    image: fullImage(program.image, config.clusters.registries) ?? program.image,
    // Compose's own default is never to restart; a program that others depend on must come back.
    restart: supervised ? (restart ?? 'on-failure') : undefined,
    options: {
      ...(paths.length > 0 && { paths }),
      ...(entrypoint.length > 0 && { entrypoint }),
      ...(user !== '' && { user }),
      ...(workingDir !== '' && { workingDir }),
    },
  }
}

const toWireProgram = (program: ComposeProgram) => {
  const { name, image, command, entrypoint, env, ports, paths, user, workingDir, restart, health, size, after } =
    program
  return {
    ...{ name, image, command, entrypoint, ports, paths, user, health, after },
    env: Object.keys(env),
    working_dir: workingDir,
    restart: restart ?? ('on-failure' as const),
    ...toWireSize(size),
  }
}
