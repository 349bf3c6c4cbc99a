import { Link } from '@tanstack/react-router'
import { Check, Upload as UploadIcon } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { useSession } from '../../lib/session-store.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Page } from '../../ui/page.tsx'
import { Card, Notice } from '../../ui/states.tsx'
import { beginUploads } from '../files/begin-uploads.ts'
import { ConflictDialog } from '../files/conflict-dialog.tsx'
import { t as files } from '../files/texts.ts'
import { useFileDrop } from '../files/use-file-drop.ts'
import { useAnonymousUpload } from '../home/anonymous.ts'
import { AnonymousCard } from '../home/anonymous-upload.tsx'
import { type Picked, pickedFromInput } from '../transfers/picked.ts'
import { t } from './texts.ts'

/** Chooses between an anonymous upload and an upload to the account. Dropped files go to the account if signed in. */
export function NewUploadPage() {
  usePageTitle()
  const signedIn = useSession((session) => session.address !== '')
  const anonymous = useAnonymousUpload()
  const [toAccount, setToAccount] = useState(true)
  const [started, setStarted] = useState(0)
  const input = useRef<HTMLInputElement>(null)
  const store = (picked: readonly Picked[]) => {
    void beginUploads(picked, { folder: 0, areas: [] }, files.files.root).then((begun) =>
      setStarted((before) => before + begun),
    )
  }
  const account = signedIn && toAccount
  const over = useFileDrop((picked) => (account ? store(picked) : anonymous.take(picked)))
  const { choose } = t
  return (
    <Page>
      <h1 className="text-2xl leading-8 font-semibold tracking-tight sm:text-[2rem] sm:leading-10">{choose.title}</h1>
      <p className="mt-2 text-muted">{choose.intro}</p>
      {signedIn && (
        <fieldset className="mt-4 flex flex-wrap items-center gap-x-5 gap-y-1">
          <legend className="float-left mr-3 text-sm text-muted">{choose.dropsTo}</legend>
          {([true, false] as const).map((value) => (
            <label key={String(value)} className="flex min-h-8 items-center gap-2 text-sm">
              <input
                type="radio"
                name="drops"
                className="size-4.5"
                checked={toAccount === value}
                onChange={() => setToAccount(value)}
              />
              {value ? choose.dropsAccount : choose.dropsAnonymous}
            </label>
          ))}
        </fieldset>
      )}
      <div className="mt-8 grid items-stretch gap-6 lg:grid-cols-2">
        <Way
          title={choose.anonymousTitle}
          text={choose.anonymousText}
          facts={choose.anonymousFacts}
          highlighted={over && !account}
        >
          <AnonymousCard upload={anonymous} bare />
        </Way>
        <Way
          title={choose.accountTitle}
          text={choose.accountText}
          facts={choose.accountFacts}
          highlighted={over && account}
        >
          {signedIn ? (
            <div className="flex flex-col items-start gap-4">
              <Button
                look="primary"
                icon={<UploadIcon aria-hidden className="size-4" />}
                onClick={() => input.current?.click()}
              >
                {choose.choose}
              </Button>
              <input
                ref={input}
                type="file"
                multiple
                hidden
                aria-label={choose.choose}
                onChange={({ currentTarget }) => {
                  if (currentTarget.files?.length) store(pickedFromInput(currentTarget.files))
                  currentTarget.value = ''
                }}
              />
              {started > 0 && (
                <Notice tone="good" live>
                  {choose.started(started)}{' '}
                  <Link to="/fileStorage" className="font-medium underline">
                    {choose.toFiles}
                  </Link>
                </Notice>
              )}
            </div>
          ) : (
            <div className="flex flex-wrap gap-2">
              <Link to="/login" search={{ mode: 'signup' }} className={buttonClass('primary')}>
                {choose.signUp}
              </Link>
              <Link to="/login" search={{ redirect: '/newUpload' }} className={buttonClass('secondary')}>
                {choose.signIn}
              </Link>
            </div>
          )}
        </Way>
      </div>
      <ConflictDialog />
    </Page>
  )
}

function Way({
  title,
  text,
  facts,
  highlighted,
  children,
}: {
  title: string
  text: string
  facts: readonly string[]
  /** Files are being dragged over the window that would go here. */
  highlighted: boolean
  children: ReactNode
}) {
  return (
    <Card
      className={classes('flex flex-col p-5 transition-colors sm:p-7', highlighted && 'border-accent bg-accent-soft')}
    >
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 text-muted">{text}</p>
      <ul className="mt-4 mb-6 flex flex-col gap-1.5 text-sm">
        {facts.map((fact) => (
          <li key={fact} className="flex items-start gap-2">
            <Check aria-hidden className="mt-1 size-4 shrink-0 text-accent" />
            {fact}
          </li>
        ))}
      </ul>
      <div className="mt-auto">{children}</div>
    </Card>
  )
}
