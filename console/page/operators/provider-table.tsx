import type { ReactNode } from 'react'
import type { Language } from '../messages/language.js'
import { useLanguage, useText } from '../messages/use-text.js'
import { milliseconds, moment } from '../parts/format.js'
import { Nothing } from '../parts/nothing.js'
import { StatusBadge } from '../parts/status-badge.js'
import { DataTable } from '../parts/table.js'
import type { ShownProvider } from './shown.js'

/** Providers, those that fail first; each with its calls of the last minutes. */
export function ProviderTable({ providers }: { providers: readonly ShownProvider[] }): ReactNode {
  const t = useText()
  const { language } = useLanguage()
  const texts = t.operators.providers
  const names: Readonly<Record<string, string>> = texts.names
  const failing = providers.filter(({ state }) => state === 'FAILING')
  const others = providers.filter(({ state }) => state !== 'FAILING')
  return (
    <DataTable<ShownProvider>
      label={t.operators.nav.providers}
      test="providers"
      rows={[...failing, ...others]}
      keyOf={({ provider, chain, host }) => [provider, chain, host].filter(Boolean).join(' ')}
      nothing={<Nothing text={texts.nothing} test="no-providers" />}
      columns={[
        {
          name: texts.provider,
          show: ({ provider, chain, host }) => (
            <>
              {[names[provider] ?? provider, chain].filter(Boolean).join(': ')}
              {host !== null && (
                <div>
                  <span className="id">{host}</span>
                </div>
              )}
            </>
          ),
        },
        {
          name: t.common.status,
          show: ({ state, since }) => (
            <>
              <StatusBadge status={state} text={texts.states[state]} />
              {since !== null && <div>{`${t.operators.since} ${moment(since, language)}`}</div>}
            </>
          ),
        },
        { name: texts.last5, show: ({ last5Minutes }) => <Calls calls={last5Minutes} language={language} /> },
        { name: texts.last60, show: ({ last60Minutes }) => <Calls calls={last60Minutes} language={language} /> },
        {
          name: texts.lastFailure,
          show: ({ lastFailure, lastFailureAt }) =>
            lastFailure !== null &&
            lastFailureAt !== null && (
              <>
                {texts.failures[lastFailure]}
                <div>{moment(lastFailureAt, language)}</div>
              </>
            ),
        },
      ]}
    />
  )
}

/** How many calls there were and failed, and how long they took. */
function Calls({ calls, language }: { calls: ShownProvider['last5Minutes']; language: Language }): ReactNode {
  const texts = useText().operators.providers
  if (calls.calls === 0) return texts.noCalls
  return (
    <div className="amount">
      <div>{`${texts.calls}: ${calls.calls}`}</div>
      {calls.failures > 0 && <strong>{`${texts.failed}: ${calls.failures}`}</strong>}
      <div>{`${texts.median}: ${milliseconds(calls.medianMs ?? 0, language)}`}</div>
      <div>{`${texts.slowest}: ${milliseconds(calls.slowestMs ?? 0, language)}`}</div>
    </div>
  )
}
