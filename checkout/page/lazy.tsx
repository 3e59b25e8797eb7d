import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AddressCodeProps, AddressNoteProps } from './address-panel.js'
import type { FiatFields } from './card-fields.js'
import type { IdentityProps } from './identity-panel.js'
import type { Messages } from './messages/messages.js'
import type { MethodProps, Unverified } from './method-props.js'
import type { ReceiptProps } from './receipt.js'
import type { PageView } from './view.js'
import type { WalletProps } from './wallet-panel.js'

/** A telephone in a lift: what could not be loaded is asked for again. */
const RETRY_MS = 2_000

/** A component that is not in the first view's script. */
type Lazy<Props> = ComponentType<Props> & { load: () => Promise<void> }

/** Loaded when it is first drawn in a browser, so that the first view stays small; drawn at once where it was loaded before. */
function lazy<Props extends { messages: Messages }>(load: () => Promise<ComponentType<Props>>): Lazy<Props> {
  let Part: ComponentType<Props> | undefined
  const loadPart = async (): Promise<void> => {
    Part ??= await load()
  }
  function LazyPart(props: Props) {
    const [, setLoaded] = useState(false)
    useEffect(() => {
      let timer: ReturnType<typeof setTimeout> | undefined
      const begin = (): void => {
        loadPart().then(
          () => {
            setLoaded(true)
          },
          () => {
            timer = setTimeout(begin, RETRY_MS)
          },
        )
      }
      if (!Part) begin()
      return () => {
        clearTimeout(timer)
      }
    }, [])
    return Part ? <Part {...props} /> : <p class="loading">{props.messages.working}</p>
  }
  return Object.assign(LazyPart, { load: loadPart })
}

export const CardPay = lazy<MethodProps & Unverified & FiatFields>(
  async () => (await import('./card-panel.js')).CardPanel,
)
export const WalletPay = lazy<WalletProps>(async () => (await import('./wallet-panel.js')).WalletPanel)
export const Identity = lazy<IdentityProps>(async () => (await import('./identity-panel.js')).IdentityPanel)
export const ReceiptMail = lazy<MethodProps>(async () => (await import('./receipt-email.js')).ReceiptEmail)
export const Address = lazy<MethodProps>(async () => (await import('./address-panel.js')).AddressForm)
export const AddressWait = lazy<AddressCodeProps>(async () => (await import('./address-panel.js')).AddressCode)
export const AddressSaid = lazy<AddressNoteProps>(async () => (await import('./address-panel.js')).AddressNote)
export const Paid = lazy<ReceiptProps>(async () => (await import('./receipt.js')).Receipt)

/** Loads what the server draws though it is not in the first script, so that it is drawn alike by both. */
export async function loadDrawn({ status, methods }: Pick<PageView, 'status' | 'methods'>): Promise<void> {
  if (status === 'open' && methods[0] !== 'address') return
  await Promise.all([Address, AddressWait, AddressSaid, Paid].map(({ load }) => load()))
}
