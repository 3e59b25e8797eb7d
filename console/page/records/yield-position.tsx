import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { yieldPositionQuery, type YieldPositionVariables, type YieldProvider } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { Form } from '../parts/form.js'
import { money, spoken } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { Section } from '../parts/section.js'

const PROVIDERS: Readonly<Record<YieldProvider, string>> = { ALPHA_LEND: 'Jupiter Lend', BETA: 'Kamino' }
const CHAIN = 'solana'

type Asked = Omit<YieldPositionVariables, 'chainName'>

/** What a wallet has in a protocol, asked when somebody wants to know. */
export function YieldPosition({ tokens }: { tokens: readonly string[] }): ReactNode {
  const t = useText()
  const texts = t.yields
  const [draft, setDraft] = useState<Asked>({ wallet: '', asset: tokens[0] ?? '', provider: 'ALPHA_LEND' })
  const [asked, setAsked] = useState<Asked>()
  return (
    <Section title={texts.position} test="position">
      <Text size="sm">{texts.positionLead}</Text>
      <Form onSubmit={() => setAsked(draft)}>
        <Group align="end">
          <TextInput
            label={texts.wallet}
            required
            miw={260}
            data-test="position-wallet"
            value={draft.wallet}
            onChange={(event) => setDraft({ ...draft, wallet: event.currentTarget.value.trim() })}
          />
          <NativeSelect
            label={t.common.token}
            value={draft.asset}
            onChange={(event) => setDraft({ ...draft, asset: event.currentTarget.value })}
            data={[...tokens]}
          />
          <NativeSelect
            label={texts.protocol}
            value={draft.provider}
            onChange={(event) => setDraft({ ...draft, provider: event.currentTarget.value as YieldProvider })}
            data={Object.entries(PROVIDERS).map(([value, label]) => ({ value, label }))}
          />
          <Button type="submit" variant="default" data-test="position-look">
            {texts.look}
          </Button>
        </Group>
      </Form>
      {asked && <Found asked={asked} />}
    </Section>
  )
}

function Found({ asked }: { asked: Asked }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { data, isLoading, error, again } = useGraph(yieldPositionQuery, { ...asked, chainName: CHAIN })
  const [found] = data?.yieldEarnings?.earnings ?? []
  return (
    <div role="status" data-test="position-found">
      <Loading isLoading={isLoading} error={error} again={again} />
      {found?.position != null && money(found.position, found.asset, language)}
      {found?.position === null &&
        (found.earningsStatus === 'NO_POSITION'
          ? t.yields.noPosition
          : (t.errors[found.earningsStatus] ?? spoken(found.earningsStatus)))}
    </div>
  )
}
