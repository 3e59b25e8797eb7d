import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { settingsQuery, type SettingsResult } from '../generated/operations.js'
import { useGraph } from '../graph/use-graph.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { day } from '../parts/format.js'
import { Loading } from '../parts/loading.js'
import { PageTitle } from '../parts/page-title.js'
import { Section } from '../parts/section.js'
import { Terms } from '../parts/terms.js'
import { Tolerance } from './tolerance.js'

type Account = NonNullable<SettingsResult['account']>

/** The account: what it can use, and how much a payer may fall short. */
export function SettingsPage(): ReactNode {
  const t = useText()
  const { data, isLoading, error, again } = useGraph(settingsQuery, {})
  return (
    <Stack>
      <PageTitle title={t.nav.settings} />
      <Loading isLoading={isLoading} error={error} again={again} />
      {data?.account && (
        <>
          <AccountSection account={data.account} />
          {data.underpaymentTolerance !== null && <Tolerance percent={data.underpaymentTolerance} onChange={again} />}
        </>
      )}
    </Stack>
  )
}

function AccountSection({ account }: { account: Account }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const { products } = account
  const names = (['crypto', 'pix', 'creditCard', 'kyc'] as const).filter((name) => products[name])
  return (
    <Section title={account.name} test="account">
      <Terms
        of={[
          ['Id', <span className="id">{account.id}</span>],
          [t.common.created, day(account.createdAt, language)],
          [t.settings.products, names.map((name) => t.settings.productNames[name]).join(', ')],
        ]}
      />
    </Section>
  )
}
