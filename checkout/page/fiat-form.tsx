import { useEffect, useState } from 'preact/hooks'
import type { FiatFields } from './card-fields.js'
import { keptPlace } from './identity-place.js'
import { CardPay, Identity } from './lazy.js'
import { pixPayer, refusalText, type MethodProps } from './method-props.js'
import { PixForm } from './pix-panel.js'

interface FiatFormProps extends MethodProps, FiatFields {
  method: 'pix' | 'card'
}

/** The form of a payer in fiat; where the shop has to know who that is, he proves it in between and loses nothing of what he typed. */
export function FiatForm({ method, ...common }: FiatFormProps) {
  const { act, messages, onView, typed, onTyped } = common
  // The e-mail address of a payer who has to prove who he is, and whether he has.
  const [unverified, setUnverified] = useState<string>()
  const [isVerified, setVerified] = useState(false)
  // Why a Pix was refused, whoever asked for it.
  const [problem, setProblem] = useState<string>()
  const ask = (email: string): void => {
    keptPlace({ email, method, step: 'asked' })
    setUnverified(email)
  }
  const stop = (): void => {
    keptPlace(null)
    setUnverified(undefined)
  }
  useEffect(() => {
    const place = keptPlace()
    // Of another way to pay it is none: its form is not this one.
    if (place?.method !== method) return
    onTyped('email', place.email)
    setUnverified(place.email)
  }, [])
  const onDone = (): void => {
    stop()
    setVerified(true)
    // After a reload he has to say again who pays: that was not kept.
    if (method !== 'pix' || !typed.document) return
    void act('pix', pixPayer(typed)).then((outcome) => {
      if (outcome.view) onView(outcome.view)
      setProblem(outcome.ok ? undefined : refusalText(outcome.code, messages))
    })
  }
  return (
    <>
      {unverified !== undefined && (
        <Identity email={unverified} act={act} messages={messages} onDone={onDone} onBack={stop} />
      )}
      <div hidden={unverified !== undefined}>
        {isVerified && (
          <p class="note" role="status">
            {messages.identity.done}
          </p>
        )}
        {method === 'pix' ? (
          <PixForm {...common} problem={problem} onProblem={setProblem} onUnverified={ask} />
        ) : (
          <CardPay {...common} onUnverified={ask} />
        )}
      </div>
    </>
  )
}
