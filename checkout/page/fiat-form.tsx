import { useState } from 'preact/hooks'
import { CardPay, Identity } from './lazy.js'
import type { MethodProps } from './method-props.js'
import { PixForm, type PixPayer } from './pix-panel.js'

interface FiatFormProps extends MethodProps {
  method: 'pix' | 'card'
  payer: PixPayer
  onPayer: (payer: PixPayer) => void
}

/** The form of a payer in fiat; where the shop has to know who that is, he proves it in between and loses nothing of what he typed. */
export function FiatForm({ method, payer, onPayer, ...common }: FiatFormProps) {
  const { act, messages, onView } = common
  // The e-mail address of a payer who has to prove who he is, and whether he has.
  const [unverified, setUnverified] = useState<string>()
  const [isVerified, setVerified] = useState(false)
  const onDone = (): void => {
    setUnverified(undefined)
    setVerified(true)
    if (method !== 'pix') return
    void act('pix', payer).then(({ view }) => {
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
          <PixForm {...common} payer={payer} onPayer={onPayer} onUnverified={setUnverified} />
        ) : (
          <CardPay {...common} onUnverified={setUnverified} />
        )}
      </div>
    </>
  )
}
