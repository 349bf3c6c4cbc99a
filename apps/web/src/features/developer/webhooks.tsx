import { Link } from '@tanstack/react-router'
import { WEBHOOK_EVENTS, WEBHOOK_RETRIES } from '@tidenet/contract/webhooks'
import { formatDuration } from '../../lib/phrases.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Section } from '../../ui/page.tsx'
import { CodeBlock } from './code-block.tsx'
import { Tabs } from './tabs.tsx'
import { t } from './webhooks-texts.ts'

const examples = {
  sdk: `import { createServer } from 'node:http'
import { verifyWebhook } from '@tidenet/storage'

createServer(async (request, response) => {
  try {
    const body = Buffer.concat(await request.toArray())
    const event = await verifyWebhook(process.env.WEBHOOK_SECRET, request.headers, body)
    console.log(event.id, event.type, event.data)
    response.writeHead(204).end()
  } catch {
    response.writeHead(400).end()
  }
}).listen(3000)`,
  python: `import base64, hashlib, hmac, json, time

def verify(secret: str, headers, body: bytes) -> dict:
    id, at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(at)) > 300:
        raise ValueError("too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id}.{at}.".encode() + body
    expected = "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()
    given = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(expected.encode(), each.encode()) for each in given):
        raise ValueError("wrong signature")
    return json.loads(body)`,
} as const

const data: Readonly<Record<(typeof WEBHOOK_EVENTS)[number], string>> = {
  'asset.uploaded': 'cid, name, type, size, folder_id, encrypted, instant',
  'asset.deleted': 'cids, trashed',
  'share.opened': 'cid, folder_id, downloads',
  'order.status': 'order_id, status, status_name, previous',
  'replica.lost': 'contents, copies, list: [{ cid, lost, left }]',
}

/** How to receive webhooks: verification, events, retries. */
export function Webhooks() {
  return (
    <Section id="webhooks" sunken title={t.title} intro={t.intro}>
      <Link to="/webhooks" className={buttonClass('secondary')}>
        {t.open}
      </Link>
      <div className="mt-8 grid gap-5 lg:grid-cols-[1fr_2.4fr] lg:gap-10">
        <div>
          <h3 className="text-lg font-semibold">{t.verify}</h3>
          <p className="mt-2 text-muted">{t.verifyText}</p>
        </div>
        <div className="min-w-0">
          <Tabs
            label={t.verify}
            tabs={(['sdk', 'python'] as const).map((way) => ({
              key: way,
              title: t.ways[way],
              content: <CodeBlock plain label={`${t.verify}, ${t.ways[way]}`} code={examples[way]} />,
            }))}
          />
        </div>
      </div>
      <h3 className="mt-10 text-lg font-semibold">{t.events}</h3>
      <p className="mt-1 text-muted">{t.body}</p>
      <dl className="mt-4 grid gap-4 md:grid-cols-2">
        {WEBHOOK_EVENTS.map((event) => (
          <div key={event} className="rounded-xl border border-line bg-surface p-5">
            <dt className="font-mono text-[0.875rem]">{event}</dt>
            <dd className="mt-2 text-sm text-muted">{t.when[event]}</dd>
            <dd className="mt-2 font-mono text-[0.8125rem] wrap-anywhere">{data[event]}</dd>
          </div>
        ))}
      </dl>
      <h3 className="mt-10 text-lg font-semibold">{t.retries}</h3>
      <ul className="mt-2 list-disc space-y-1 pl-5 text-muted">
        {t.rules.map((rule) => (
          <li key={rule}>{rule}</li>
        ))}
      </ul>
      <p className="mt-4 text-sm font-medium">{t.delays}</p>
      <ol className="mt-1 flex flex-wrap gap-x-4 gap-y-1 font-mono text-sm tabular-nums">
        {WEBHOOK_RETRIES.map((delay, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a constant list, in which delays repeat
          <li key={index}>{formatDuration(delay)}</li>
        ))}
      </ol>
    </Section>
  )
}
