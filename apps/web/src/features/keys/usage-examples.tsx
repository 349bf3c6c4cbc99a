import { paths } from '@tidenet/contract/paths.gen'
import { CopyField } from '../../ui/copy.tsx'
import { t } from './texts.ts'

/** A call that tests a key. A key without permission to list folders reads the account information instead. */
export function curlLine(key: string, mayList = true): string {
  const { path } = paths[mayList ? 'folders.contents' : 'accounts.vipInfo']
  return `curl -H "JwtAuthorization: Bearer ${key}" ${location.origin}${path}`
}

/** Example calls, with a variable in place of the key. */
export function UsageExamples({ lone = false }: { lone?: boolean }) {
  return (
    <div className="grid gap-4">
      <div>
        <p className="mb-1 text-sm font-medium">{t.curl}</p>
        <CopyField text={curlLine('$TIDENET_TOKEN')} label={t.copyCurl} />
      </div>
      {!lone && (
        <div>
          <p className="mb-1 text-sm font-medium">{t.cli}</p>
          <CopyField text={`TIDENET_URL=${location.origin} tidenet ls`} label={t.copyCli} />
        </div>
      )}
    </div>
  )
}
