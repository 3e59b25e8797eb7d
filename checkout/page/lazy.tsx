import type { ComponentType } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { AddressCodeProps, AddressNoteProps } from './address-panel.js'
import type { FiatFields } from './card-fields.js'
import type { IdentityProps } from './identity-panel.js'
import type { Messages } from './messages/messages.js'
import type { MethodProps, Unverified } from './method-props.js'
import type { NextStepProps } from './next-step.js'
import type { ReceiptProps } from './receipt.js'
import type { PageView } from './view.js'
import type { WalletProps } from './wallet-panel.js'

/** A telephone in a lift: what could not be loaded is asked for again. */
const RETRY_MS = 2_000

/** A component that is not in the first view's script. */
type Lazy<Props> = ComponentType<Props> & { load: () => Promise<void> }

/** Loaded when it is first drawn in a browser, so that the first view stays small; drawn at once where it was loaded before. */
function lazy<Props extends { messages: Messages }>(
  load: (again?: string) => Promise<ComponentType<Props>>,
): Lazy<Props> {
  let Part: ComponentType<Props> | undefined
  let again: string | undefined
  const loadPart = async (): Promise<void> => {
    try {
      Part ??= await load(again)
    } catch (error) {
      again = newAddress(error)
      throw error
    }
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

/**
 * Browsers may keep for good that a module could not be loaded (Chromium does since 150), under its address: another query is another
 * address. Where the error does not tell it (Safari), the module is asked for as before.
 */
function newAddress(error: unknown): string | undefined {
  const [address] = /https?:[^\s?]+/.exec(String(error)) ?? []
  return address && `${address}?again=${Date.now()}`
}

/** A module, under another address where one is given. */
async function from<Module>(load: () => Promise<Module>, again: string | undefined): Promise<Module> {
  return again === undefined ? load() : ((await import(/* @vite-ignore */ again)) as Module)
}

export const CardPay = lazy<MethodProps & Unverified & FiatFields>(
  async (again) => (await from(() => import('./card-panel.js'), again)).CardPanel,
)
export const WalletPay = lazy<WalletProps>(
  async (again) => (await from(() => import('./wallet-panel.js'), again)).WalletPanel,
)
export const Identity = lazy<IdentityProps>(
  async (again) => (await from(() => import('./identity-panel.js'), again)).IdentityPanel,
)
export const ReceiptMail = lazy<MethodProps>(
  async (again) => (await from(() => import('./receipt-email.js'), again)).ReceiptEmail,
)
export const Address = lazy<MethodProps>(
  async (again) => (await from(() => import('./address-panel.js'), again)).AddressForm,
)
export const AddressWait = lazy<AddressCodeProps>(
  async (again) => (await from(() => import('./address-panel.js'), again)).AddressCode,
)
export const AddressSaid = lazy<AddressNoteProps>(
  async (again) => (await from(() => import('./address-panel.js'), again)).AddressNote,
)
export const NextStep = lazy<NextStepProps>(
  async (again) => (await from(() => import('./next-step.js'), again)).NextStep,
)
export const Paid = lazy<ReceiptProps>(async (again) => (await from(() => import('./receipt.js'), again)).Receipt)

/** Loads what the server draws though it is not in the first script, so that it is drawn alike by both. */
export async function loadDrawn({ status, methods }: Pick<PageView, 'status' | 'methods'>): Promise<void> {
  if (status === 'open' && methods[0] !== 'address') return
  await Promise.all([Address, AddressWait, AddressSaid, NextStep, Paid].map(({ load }) => load()))
}
