import { useState } from 'react'
import { query, useQuery } from '../../lib/queries.ts'
import { lang } from '../../lib/texts.ts'
import { classes } from '../../ui/classes.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { LeadForm } from './lead-form.tsx'
import { OperatorLink, SocialLinks } from './operator-links.tsx'
import { closeSupport, type SupportTopic, useSupport } from './support.ts'
import { t } from './texts.ts'

const p = t.panel
const linkClass = 'inline-flex min-h-7 items-center text-accent underline hover:text-accent-strong'
const topics: readonly SupportTopic[] = ['support', 'feedback', 'contact']

/** The support dialog. */
export function SupportPanel() {
  const topic = useSupport((support) => support.topic)
  return (
    <Dialog open={topic !== undefined} onClose={closeSupport} title={p.title} description={p.chat}>
      {topic && <SupportForm initial={topic} />}
    </Dialog>
  )
}

function SupportForm({ initial }: { initial: SupportTopic }) {
  const [topic, setTopic] = useState(initial)
  return (
    <div className="flex flex-col gap-5">
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{p.about}</legend>
        <div className="grid grid-cols-3 gap-1 rounded-xl bg-sunken p-1">
          {topics.map((each) => (
            <label
              key={each}
              className={classes(
                'flex min-h-9 items-center justify-center rounded-lg border px-2 text-center text-sm font-medium',
                'has-focus-visible:outline-2 has-focus-visible:outline-accent',
                each === topic ? 'border-line bg-surface' : 'border-transparent text-muted hover:text-text',
              )}
            >
              <input
                type="radio"
                name="topic"
                value={each}
                checked={each === topic}
                onChange={() => setTopic(each)}
                className="sr-only"
              />
              {p.topics[each]}
            </label>
          ))}
        </div>
      </fieldset>
      <LeadForm kind={topic} textLabel={p.labels[topic]} />
      {topic === 'support' && <p className="text-sm text-muted">{p.trace}</p>}
      <OtherChannels topic={topic} />
    </div>
  )
}

/** Other channels of the operator; nothing if there are none. */
function OtherChannels({ topic }: { topic: SupportTopic }) {
  const { data } = useQuery(query('portal.settings', {}))
  const form = data?.feedback_urls[lang]
  const own = topic === 'feedback' && form && !form.startsWith('/') ? form : undefined
  if (!data || (!own && Object.keys(data.social).length === 0)) return null
  return (
    <div className="border-t border-line pt-4 text-sm">
      <p className="mb-1 font-medium">{p.elsewhere}</p>
      {own && (
        <OperatorLink url={own} className={linkClass} onClick={closeSupport}>
          {p.ownForm}
        </OperatorLink>
      )}
      <SocialLinks
        social={data.social}
        className="flex flex-wrap gap-x-5 gap-y-1"
        linkClass={linkClass}
        onLeave={closeSupport}
      />
    </div>
  )
}
