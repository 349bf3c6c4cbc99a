import {
  chainAt,
  compareReceipts,
  isContradiction,
  type NetworkIdentity,
  type Relation,
  verifyReceipt,
} from '@tidenet/receipts'
import { useEffect, useRef, useState } from 'react'
import { usePageTitle } from '../../lib/page-title.ts'
import { Card } from '../../ui/card.tsx'
import { Hero, Section } from '../../ui/page.tsx'
import { Notice } from '../../ui/states.tsx'
import { ChainForm, DropZone, ExpectedFields, type Input, PasteForm } from './inputs.tsx'
import { type Checked, ResultCard } from './result-card.tsx'
import { t } from './texts.ts'
import { useExpected } from './use-expected.ts'

/** Checks receipt files on this device. Everything it needs is loaded with the page, so that it works offline. */
export function VerifyPage() {
  usePageTitle()
  const expected = useExpected()
  const [inputs, setInputs] = useState<Input[]>([])
  const [chainUrl, setChainUrl] = useState('')
  const checked = useChecked(inputs, expected.identity, chainUrl)
  return (
    <>
      <Hero eyebrow={t.eyebrow} title={t.title} intro={t.intro} note={t.offline}>
        <Card className="flex flex-col gap-5 p-5 sm:p-6">
          <DropZone onInputs={setInputs} />
          <PasteForm onInputs={setInputs} />
          <ExpectedFields expected={expected} />
          <ChainForm onChain={setChainUrl} />
        </Card>
      </Hero>
      {checked.length > 0 && <Results list={checked} inputs={inputs} />}
      <Section title={t.limitsTitle} sunken={checked.length === 0}>
        <ul className="grid max-w-3xl list-disc gap-2.5 pl-5 text-muted">
          {t.limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
      </Section>
    </>
  )
}

/** The results for these files, with the keys and addresses that are entered now. */
function useChecked(inputs: readonly Input[], identity: NetworkIdentity, chainUrl: string): Checked[] {
  const [checked, setChecked] = useState<Checked[]>([])
  useEffect(() => {
    let isCurrent = true
    const options = { ...identity, ...(chainUrl !== '' && { chain: chainAt(chainUrl) }) }
    const check = async ({ id, name, content }: Input) => ({
      id,
      name,
      verification: await verifyReceipt(content, options),
    })
    void Promise.all(inputs.map(check)).then((list) => isCurrent && setChecked(list))
    return () => {
      isCurrent = false
    }
  }, [inputs, identity, chainUrl])
  return checked
}

function Results({ list, inputs }: { list: readonly Checked[]; inputs: readonly Input[] }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const relations = compareReceipts(list.map(({ verification }) => verification))
  const valid = list.filter(({ verification }) => verification.result === 'valid').length
  // Other files, not another key: whoever types a key stays in its field.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs for other files
  useEffect(() => {
    heading.current?.focus({ preventScroll: true })
    heading.current?.scrollIntoView()
  }, [inputs])
  return (
    <Section sunken>
      <h2
        ref={heading}
        tabIndex={-1}
        className="scroll-mt-20 text-2xl leading-tight font-semibold tracking-tight outline-none"
      >
        {t.resultsTitle}
      </h2>
      <p role="status" className="mt-2 mb-6 text-muted">
        {t.summary(list.length, valid)}
      </p>
      <div className="flex flex-col gap-5">
        {relations.map((relation) => (
          <RelationNotice key={`${relation.kind} ${relation.files}`} relation={relation} list={list} />
        ))}
        {list.map((each) => (
          <ResultCard key={each.id} {...each} />
        ))}
      </div>
    </Section>
  )
}

const RelationNotice = ({ relation, list }: { relation: Relation; list: readonly Checked[] }) => (
  <Notice tone={isContradiction(relation) ? 'bad' : 'info'}>
    <p className="font-medium" translate="no">
      {relation.files.map((at) => list[at]?.name).join(', ')}
    </p>
    <p>{t.relations[relation.kind]}</p>
  </Notice>
)
