import { useEffect } from 'react'
import { useQuery } from '../../lib/queries.ts'
import { Notice } from '../../ui/states.tsx'
import { Sample } from './sample.tsx'
import { speechQuery } from './speech-api.ts'
import { StartForm } from './start-form.tsx'
import { TaskCard } from './task-card.tsx'
import { followUnfinished, useFollowed } from './tasks.ts'
import { t } from './texts.ts'
import { useUpload } from './upload.ts'
import { UploadCard } from './upload-card.tsx'
import type { Speech } from './use-account.ts'

/** The form, and beside it what goes on; a sample if nothing does. */
export function Work({ speech }: { speech: Speech }) {
  const { signedIn, engine } = speech
  const unfinished = useQuery({ ...speechQuery('speech.check', {}), enabled: signedIn })
  const upload = useUpload(({ current }) => current)
  const followed = useFollowed(({ list }) => list)
  useEffect(() => {
    // Newest last, because each is put before the others.
    for (const task of unfinished.data?.list ?? []) followUnfinished(task)
  }, [unfinished.data])
  const tasks = signedIn ? followed.filter(({ id }) => id !== upload?.id) : []
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[1fr_1.15fr] lg:gap-12">
      <div className="grid gap-8">
        {engine === 'unreachable' && <Notice tone="warn">{t.engine.unreachable}</Notice>}
        <StartForm speech={speech} unfinished={tasks} />
      </div>
      {upload || tasks.length > 0 ? (
        <section aria-labelledby="tasks">
          <h3 id="tasks" tabIndex={-1} className="mb-3 font-medium outline-none">
            {t.tasks.title}
          </h3>
          <ul className="grid gap-3">
            {upload && <UploadCard upload={upload} />}
            {tasks.map((task) => (
              <TaskCard key={task.id} task={task} />
            ))}
          </ul>
        </section>
      ) : (
        <Sample />
      )}
    </div>
  )
}
