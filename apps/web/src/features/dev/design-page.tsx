import { FolderOpen, MoreHorizontal, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Button, iconButtonClass } from '../../ui/button.tsx'
import { Checkbox, RadioCards } from '../../ui/choices.tsx'
import { CopyField } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field, PasswordInput, TextInput } from '../../ui/field.tsx'
import { Menu, MenuItem, MenuSeparator } from '../../ui/menu.tsx'
import { Metric } from '../../ui/metric.tsx'
import { Hero, Section, TideMark } from '../../ui/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ProgressBar } from '../../ui/progress.tsx'
import { Prose } from '../../ui/prose.tsx'
import { Select } from '../../ui/select.tsx'
import { Badge, Card, Empty, LoadFailed, Loading, Notice } from '../../ui/states.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { Colours } from './colours.tsx'
import { Parts } from './parts.tsx'
import { t } from './texts.ts'

const CID = 'bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi'

/** Shows every component of the design language. */
export function DesignPage() {
  usePageTitle()
  return (
    <>
      <Hero eyebrow={t.eyebrow} title={t.title} intro={t.intro} />
      <Section title={t.colours} intro={t.coloursIntro}>
        <Colours />
      </Section>
      <Section title={t.type} intro={t.typeIntro} sunken>
        <Type />
      </Section>
      <Section title={t.spacing} intro={t.spacingIntro}>
        <Spacing />
      </Section>
      <Section title={t.buttons} sunken>
        <Row>
          <Button look="primary">{t.primary}</Button>
          <Button>{t.secondary}</Button>
          <Button look="ghost">{t.ghost}</Button>
          <Button look="quietDanger">{t.quietDanger}</Button>
          <Button look="danger">{t.danger}</Button>
          <Button busy>{t.busy}</Button>
          <Button disabled>{t.disabled}</Button>
        </Row>
        <div className="mt-6 max-w-2xl">
          <CopyField text={CID} label={t.copy} />
        </div>
      </Section>
      <Section title={t.fields}>
        <Fields />
      </Section>
      <Section title={t.states} intro={t.statesIntro} sunken>
        <div className="grid gap-6 lg:grid-cols-3">
          <Card>
            <Loading />
          </Card>
          <Card>
            <Empty icon={<FolderOpen aria-hidden className="size-5" />} title={t.emptyTitle}>
              {t.emptyText}
            </Empty>
          </Card>
          <Card>
            <LoadFailed title={t.failedTitle} error={t.bad} onRetry={() => {}} />
          </Card>
        </div>
        <div className="mt-6 grid gap-3 lg:grid-cols-2">
          <Notice>{t.info}</Notice>
          <Notice tone="good">{t.good}</Notice>
          <Notice tone="warn">{t.warn}</Notice>
          <Notice tone="bad">{t.bad}</Notice>
        </div>
        <div className="mt-6">
          <Row>
            <Badge>{t.badges[0]}</Badge>
            <Badge tone="accent">{t.badges[1]}</Badge>
            <Badge tone="warn">{t.badges[2]}</Badge>
          </Row>
        </div>
      </Section>
      <Section title={t.progress}>
        <div className="grid max-w-xl gap-4">
          <ProgressBar label={t.progressOf} value={62} />
          <ProgressBar label={t.progressOf} value={100} tone="good" />
          <ProgressBar label={t.progressOf} value={null} />
        </div>
      </Section>
      <Section title={t.overlays} sunken>
        <Overlays />
      </Section>
      <Section title={t.claims} intro={t.claimsIntro}>
        <div className="grid gap-8 sm:grid-cols-2 lg:grid-cols-3">
          <Metric value="1.22×" what={t.claimMeasured} how={t.claimHow} when="2026-11-21" />
          <Metric value="99.99 %" what={t.claimTarget} how={t.claimTargetHow} />
        </div>
      </Section>
      <Section title={t.marks} intro={t.marksIntro} sunken>
        <Row>
          <span className="text-accent">
            <TideMark />
          </span>
          <span className="text-signal">
            <TideMark className="h-4 w-14" />
          </span>
        </Row>
      </Section>
      <Parts />
      <Section title={t.prose} sunken>
        <Prose
          html={`<p>${t.intro}</p><h2>${t.sample}</h2><p>${t.coloursIntro}</p><pre tabindex="0"><code>tidenet up harbour.tar</code></pre><blockquote>${t.claimsIntro}</blockquote><ul><li>${t.badges[0]}</li><li>${t.badges[2]}</li></ul>`}
        />
      </Section>
    </>
  )
}

function Row({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap items-center gap-3">{children}</div>
}

const sizes = [
  ['text-[2.875rem] leading-[1.12] font-semibold tracking-tight', '2.875 / 600'],
  ['text-[2rem] leading-tight font-semibold tracking-tight', '2 / 600'],
  ['text-2xl leading-8 font-semibold tracking-tight', '1.625 / 600'],
  ['text-lg font-semibold', '1.1875 / 600'],
  ['text-base', '1.0625 / 400'],
  ['text-sm text-muted', '0.969 / 400'],
  ['text-xs text-muted', '0.875 / 400'],
  ['font-mono text-base tabular-nums', 'Geist Mono'],
] as const

function Type() {
  return (
    <>
      <ul>
        {sizes.map(([look, name]) => (
          <li key={name} className="flex flex-wrap items-baseline gap-x-6 border-t border-line py-3">
            <span className="w-28 shrink-0 font-mono text-sm text-muted">{name}</span>
            <span className={look}>{t.sample}</span>
          </li>
        ))}
      </ul>
      <p className="mt-4 text-sm text-muted">{t.sizes}</p>
    </>
  )
}

const steps = ['w-1', 'w-2', 'w-3', 'w-4', 'w-6', 'w-8', 'w-14', 'w-20'] as const

function Spacing() {
  return (
    <ul className="flex flex-wrap items-end gap-6">
      {steps.map((step) => (
        <li key={step} className="flex flex-col items-start gap-2">
          <span className={`h-8 bg-accent ${step}`} />
          <span className="font-mono text-sm text-muted">{step.slice(2)}</span>
        </li>
      ))}
    </ul>
  )
}

function Fields() {
  const [area, setArea] = useState('0')
  const [kind, setKind] = useState('0')
  const [checked, setChecked] = useState(true)
  const [page, setPage] = useState(2)
  return (
    <div className="grid gap-8 lg:grid-cols-2">
      <div className="grid gap-5">
        <Field label={t.name} hint={t.nameHint}>
          <TextInput placeholder="Harbour" />
        </Field>
        <Field label={t.name} error={t.nameError}>
          <TextInput />
        </Field>
        <Field label="••••••••">
          <PasswordInput defaultValue="tide-line" autoComplete="off" />
        </Field>
      </div>
      <div className="grid content-start gap-5">
        <Row>
          <span className="text-sm font-medium">{t.area}</span>
          <Select
            label={t.area}
            value={area}
            onChange={setArea}
            options={t.areas.map((label, index) => ({ value: String(index), label }))}
          />
        </Row>
        <Checkbox checked={checked} onChange={setChecked} hint={t.nameHint}>
          {t.badges[0]}
        </Checkbox>
        <div className="flex items-center gap-2.5">
          <Switch label={t.badges[0] ?? ''} checked={checked} onChange={setChecked} />
          <span aria-hidden>{t.badges[0]}</span>
        </div>
        <RadioCards
          label={t.area}
          value={kind}
          onChange={setKind}
          options={t.areas.slice(0, 2).map((title, index) => ({ value: String(index), title, hint: t.nameHint }))}
        />
        <Pager page={page} total={9} onPage={setPage} />
      </div>
    </div>
  )
}

function Overlays() {
  const [open, setOpen] = useState(false)
  return (
    <Row>
      <Menu
        label={t.openMenu}
        triggerClass={iconButtonClass('border border-line')}
        trigger={<MoreHorizontal aria-hidden className="size-4" />}
        align="start"
      >
        <MenuItem icon={<Pencil aria-hidden className="size-4" />} onSelect={() => toast.success(t.rename)}>
          {t.rename}
        </MenuItem>
        <MenuSeparator />
        <MenuItem danger icon={<Trash2 aria-hidden className="size-4" />} onSelect={() => setOpen(true)}>
          {t.remove}
        </MenuItem>
      </Menu>
      <Button onClick={() => setOpen(true)}>{t.openDialog}</Button>
      <Button onClick={() => toast.success(t.said, { title: t.undo, act: () => {} })}>{t.say}</Button>
      <Button onClick={() => toast.error(t.bad)}>{t.sayBad}</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={t.dialogTitle}
        description={t.dialogText}
        actions={
          <>
            <Button onClick={() => setOpen(false)}>{t.secondary}</Button>
            <Button look="danger" onClick={() => setOpen(false)}>
              {t.remove}
            </Button>
          </>
        }
      />
    </Row>
  )
}
