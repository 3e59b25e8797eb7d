import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { IdentityProps } from './identity-panel.js'
import type { Messages } from './messages/messages.js'
import type { MethodProps, Unverified } from './method-props.js'

/** Loaded when it is first drawn in a browser, so that the first view stays small. */
function lazy<Props extends { messages: Messages }>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  return function Lazy(props: Props) {
    const [loaded, setLoaded] = useState<{ Part: ComponentType<Props> }>()
    useEffect(() => {
      void load().then((Part) => {
        setLoaded({ Part })
      })
    }, [])
    return loaded ? <loaded.Part {...props} /> : <p class="loading">{props.messages.working}</p>
  }
}

export const CardPay = lazy<MethodProps & Unverified>(async () => (await import('./card-panel.js')).CardPanel)
export const WalletPay = lazy<MethodProps>(async () => (await import('./wallet-panel.js')).WalletPanel)
export const Identity = lazy<IdentityProps>(async () => (await import('./identity-panel.js')).IdentityPanel)
export const ReceiptMail = lazy<MethodProps>(async () => (await import('./receipt-email.js')).ReceiptEmail)
