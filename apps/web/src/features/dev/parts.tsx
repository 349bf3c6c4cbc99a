import {
  ArrowRight,
  Check,
  Copy,
  Download,
  FileText,
  Folder,
  Link2,
  Lock,
  Search,
  ServerCog,
  Share2,
  Trash2,
  Upload,
  Wallet,
} from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatSize } from '../../lib/format.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { classes } from '../../ui/classes.ts'
import { Panel } from '../../ui/dialog.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { NodeMark } from '../../ui/node-mark.tsx'
import { Section } from '../../ui/page.tsx'
import { Badge, Card } from '../../ui/states.tsx'
import { WorldMap } from '../../ui/world-map.tsx'
import { MapLegend } from '../../ui/world-map-legend.tsx'
import type { MapArc, MapPoint } from '../../ui/world-map-types.ts'
import { BarChart } from '../dashboard/bar-chart.tsx'
import { Gauge } from '../dashboard/gauge.tsx'
import { CodeBlock } from '../developer/code-block.tsx'
import { VerifiedDrawing } from '../developer/drawing.tsx'
import { Tabs } from '../developer/tabs.tsx'
import { LeaseDrawing } from '../download/drawing.tsx'
import { serviceDrawings } from '../home/service-drawings.tsx'
import { t } from './texts.ts'

const p = t.parts
const [hongKong = '', singapore = '', germany = ''] = t.areas

const points: readonly MapPoint[] = [
  { id: 'a', lat: 22.3, lng: 114.2, kind: 1, status: 'online', title: hongKong },
  { id: 'b', lat: 1.35, lng: 103.8, kind: 2, status: 'abnormal', title: singapore },
  { id: 'c', lat: 50.1, lng: 8.7, kind: 3, status: 'offline', title: germany },
  { id: 'd', lat: -23.5, lng: -46.6, kind: 1, status: 'online', title: p.many, count: 12 },
]
const [first, , third] = points as [MapPoint, MapPoint, MapPoint, MapPoint]

/** The map, with a button that adds a transfer. */
function MapPart() {
  const [sent, setSent] = useState<readonly MapArc[]>([])
  return (
    <>
      <WorldMap points={points} arcs={sent} label={p.map} />
      <div className="mt-4 flex flex-wrap items-center justify-between gap-4">
        <MapLegend />
        <Button onClick={() => setSent((all) => [...all, { id: all.length, from: first, to: third, kind: 'replica' }])}>
          {p.send}
        </Button>
      </div>
    </>
  )
}

function MarksPart() {
  return (
    <Row>
      {([1, 2, 3] as const).flatMap((kind) =>
        (['online', 'offline', 'abnormal'] as const).map((status) => (
          <NodeMark key={`${kind} ${status}`} kind={kind} status={status} className="size-6" />
        )),
      )}
    </Row>
  )
}

function PanelsPart() {
  const [open, setOpen] = useState(false)
  return (
    <Row>
      <Disclosure
        trigger={p.disclosure}
        triggerClass={buttonClass()}
        panelClass="left-0 w-56"
        chevron
        load={async () => p.disclosed}
      >
        {(text, close) => (
          <button type="button" className="w-full rounded-lg px-3 py-2 text-left hover:bg-sunken" onClick={close}>
            {text}
          </button>
        )}
      </Disclosure>
      <Button onClick={() => setOpen(true)}>{p.drawer}</Button>
      <Panel open={open} onClose={() => setOpen(false)} title={p.drawerTitle}>
        <p>{p.drawerText}</p>
      </Panel>
    </Row>
  )
}

const code = 'tidenet up harbour.tar\ntidenet ls\ntidenet get harbour.tar'

function TabsPart() {
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <Tabs
        label={p.tabs}
        tabs={p.tabNames.map((title, index) => ({
          key: title,
          title,
          content: <p className="p-5">{p.tabTexts[index]}</p>,
        }))}
      />
      <CodeBlock code={code} label={p.code} />
    </div>
  )
}

const MiB = 1 << 20
const values = [3, 5, 2, 8, 13, 9, 21].map((value) => value * MiB)

function ChartsPart() {
  return (
    <div className="grid gap-6 lg:grid-cols-3">
      <div className="grid content-start gap-6">
        <Gauge title={p.gauge} used={62 * MiB} total={100 * MiB} note={p.gaugeNote} format={p.of} />
        <Gauge title={p.gauge} used={95 * MiB} total={100 * MiB} note={p.gaugeAlmost} format={p.of} />
      </div>
      <Card className="p-5 lg:col-span-2">
        <BarChart
          title={p.chart}
          label={p.chart}
          labels={p.weekdays}
          values={values}
          format={formatSize}
          unit={1024}
          headline="sum"
          look="fill-series-1"
        />
      </Card>
    </div>
  )
}

function TablePart() {
  return (
    <Card className="overflow-x-auto">
      <table className="w-full text-left text-sm">
        <caption className="sr-only">{p.table}</caption>
        <thead className="border-b border-line text-muted">
          <tr>
            {p.columns.map((name, index) => (
              <th key={name} scope="col" className={classes('px-5 py-3 font-medium', index === 2 && 'text-right')}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.slice(0, 3).map(({ id, kind, status, title }, index) => (
            <tr key={id} className="border-b border-line last:border-b-0 hover:bg-sunken/60">
              <th scope="row" className="px-5 py-3 font-normal">
                <span className="flex items-center gap-2">
                  <NodeMark kind={kind} status={status} />
                  {title}
                </span>
              </th>
              <td className="px-5 py-3">
                <Badge tone={status === 'online' ? 'accent' : 'warn'}>{p.status[status]}</Badge>
              </td>
              <td className="px-5 py-3 text-right font-mono tabular-nums">{formatSize((values[index] ?? 0) * 100)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Card>
  )
}

const icons = [
  Folder,
  FileText,
  Upload,
  Download,
  Share2,
  Link2,
  Lock,
  Search,
  Copy,
  Trash2,
  Wallet,
  ServerCog,
  Check,
  ArrowRight,
]

function IconsPart() {
  return (
    <ul className="flex flex-wrap gap-3">
      {icons.map((Icon, index) => (
        <li key={p.icons[index]} className="flex items-center gap-2 rounded-lg border border-line bg-surface px-3 py-2">
          <Icon aria-hidden className="size-4.5 text-muted" />
          <span className="text-sm">{p.icons[index]}</span>
        </li>
      ))}
    </ul>
  )
}

function DrawingsPart() {
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {serviceDrawings.map((drawing) => (
          <li key={drawing.key} className="h-28 rounded-2xl border border-line bg-surface p-5 text-accent">
            {drawing}
          </li>
        ))}
      </ul>
      <div className="mt-6 grid items-center gap-6 lg:grid-cols-2">
        <VerifiedDrawing />
        <LeaseDrawing />
      </div>
    </>
  )
}

function MotionPart() {
  const [there, setThere] = useState(true)
  return (
    <div className="flex flex-wrap items-center gap-6">
      <Button aria-pressed={there} onClick={() => setThere((before) => !before)}>
        {p.move}
      </Button>
      <p
        className={classes(
          'rounded-xl border border-line bg-surface px-5 py-3 shadow-raised transition-[opacity,transform] duration-200',
          !there && 'translate-y-2 opacity-0',
        )}
        aria-hidden={!there}
      >
        {p.moved}
      </p>
    </div>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
)

/** The larger components: map, panels, tabs, charts, tables, icons, drawings and motion. */
export function Parts() {
  return (
    <>
      <Section title={p.map} intro={p.mapIntro}>
        <MapPart />
      </Section>
      <Section title={p.nodes} intro={p.nodesIntro} sunken>
        <MarksPart />
      </Section>
      <Section title={p.panels}>
        <PanelsPart />
      </Section>
      <Section title={p.tabs} sunken>
        <TabsPart />
      </Section>
      <Section title={p.charts} intro={p.chartsIntro}>
        <ChartsPart />
      </Section>
      <Section title={p.table} sunken>
        <TablePart />
      </Section>
      <Section title={p.iconsTitle} intro={p.iconsIntro}>
        <IconsPart />
      </Section>
      <Section title={p.drawings} intro={p.drawingsIntro} sunken>
        <DrawingsPart />
      </Section>
      <Section title={p.motion} intro={p.motionIntro}>
        <MotionPart />
      </Section>
    </>
  )
}
