import { Badge, Button, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { treasuryQuery } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { moment, money } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Section } from '../parts/section.js'
import { Terms } from '../parts/terms.js'
import { Pauses } from './pauses.js'
import type { ShownTreasury } from './shown.js'
import { TreasuryAccounts } from './treasury-accounts.js'
import { TreasuryTokens } from './treasury-tokens.js'

/** What the treasury has on each chain, how long it lasts, and what is paused. */
export function TreasuryPage(): ReactNode {
  const t = useText()
  const { data, isLoading, error, again } = useGraph(treasuryQuery, {})
  const chains = data?.treasury
  return (
    <Stack>
      <PageTitle title={t.operators.nav.treasury} lead={t.operators.treasury.lead}>
        <Button variant="default" onClick={again} data-test="again">
          {t.operators.refresh}
        </Button>
      </PageTitle>
      <Loading isLoading={isLoading} error={error} again={again} />
      {data?.pausedPayouts && (
        <Pauses
          pauses={data.pausedPayouts.pauses}
          chains={chains?.map(({ chainName }) => chainName) ?? []}
          onChange={again}
        />
      )}
      {chains?.map((chain) => (
        <Chain key={chain.chainName} chain={chain} />
      ))}
    </Stack>
  )
}

function Chain({ chain }: { chain: ShownTreasury }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.treasury
  const { chainName, account, accounts, readAt, isPaused, gasPayer } = chain
  const hasSeveral = accounts.length > 1
  return (
    <Section title={chainName} test="chain">
      {isPaused && (
        <Badge color="red.9" variant="filled">
          {texts.paused}
        </Badge>
      )}
      <Terms
        of={[
          [texts.account, !hasSeveral && account && <span className="id">{account}</span>],
          [texts.readAt, moment(readAt, language)],
          [
            texts.gas,
            gasPayer && (
              <>
                {gasPayer.balance === null ? texts.unknown : money(gasPayer.balance, gasPayer.symbol, language)}{' '}
                <span className="id">{gasPayer.account}</span>
              </>
            ),
          ],
        ]}
      />
      <TreasuryTokens chain={chain} />
      {hasSeveral && <TreasuryAccounts chain={chain} />}
    </Section>
  )
}
