import { useEffect, useState } from 'react'
import { ApiError } from '../../lib/api.ts'
import { LoadFailed, Loading } from '../../ui/states.tsx'
import { previewType } from './kinds.ts'
import { MediaView } from './media-view.tsx'
import { type Opened, ReadFailed } from './open-file.ts'
import { openStream } from './stream.ts'
import { t } from './texts.ts'

/** A player that gets verified bytes by ranges. @param onUnavailable the browser cannot stream to a player */
export function StreamedMedia({
  file,
  kind,
  name,
  onUnavailable,
}: {
  file: Opened
  kind: 'video' | 'audio'
  name: string
  onUnavailable: () => void
}) {
  const [url, setUrl] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `attempt` opens it again
  useEffect(() => {
    let closed = false
    let close = () => {}
    setProblem(undefined)
    void openStream(file, previewType(name), (error) => {
      if (!closed) setProblem(error instanceof ReadFailed ? error.message : t.media.broken)
    }).then((stream) => {
      if (closed) return stream?.close()
      if (!stream) return onUnavailable()
      close = stream.close
      setUrl(stream.url)
    })
    return () => {
      closed = true
      close()
      setUrl(undefined)
    }
  }, [file, name, onUnavailable, attempt])
  if (problem !== undefined)
    return (
      <LoadFailed
        title={t.failed}
        error={new ApiError('server', problem)}
        onRetry={() => setAttempt((before) => before + 1)}
      />
    )
  if (!url) return <Loading />
  return <MediaView kind={kind} url={url} name={name} />
}
