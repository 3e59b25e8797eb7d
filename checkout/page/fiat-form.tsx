import { useState } from 'preact/hooks'
import type { FiatFields } from './card-fields.js'
import { CardPay, Identity } from './lazy.js'
import type { MethodProps } from './method-props.js'
import { PixForm, pixPayer } from './pix-panel.js'

interface FiatFormProps extends MethodProps, FiatFields {
  method: 'pix' | 'card'
}

/** The form of a payer in fiat; where the shop has to know who that is, he proves it in between and loses nothing of what he typed. */
export function FiatForm({ method, ...common }: FiatFormProps) {
  const { act, messages, onView, typed } = common
  // The e-mail address of a payer who has to prove who he is, and whether he has.
  const [unverified, setUnverified] = useState<string>()
  const [isVerified, setVerified] = useState(false)
  const onDone = (): void => {
    setUnverified(undefined)
    setVerified(true)
    if (method !== 'pix') return
    void act('pix', pixPayer(typed)).then(({ view }) => {
      if (view) onView(view)
    })
  }
  return (
    <>
      {unverified !== undefined && (
        <Identity
          email={unverified}
          act={act}
          messages={messages}
          onDone={onDone}
          onBack={() => {
            setUnverified(undefined)
          }}
        />
      )}
      <div hidden={unverified !== undefined}>
        {isVerified && (
          <p class="note" role="status">
            {messages.identity.done}
          </p>
        )}
        {method === 'pix' ? (
          <PixForm {...common} onUnverified={setUnverified} />
        ) : (
          <CardPay {...common} onUnverified={setUnverified} />
        )}
      </div>
    </>
  )
}
