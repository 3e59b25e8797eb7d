import { NativeSelect } from '@mantine/core'
import type { ReactNode } from 'react'
import { useText } from '../messages/use-text.js'
import { chooseTenant } from '../session/session-api.js'
import { useSend } from '../session/use-send.js'
import { useSession } from '../session/use-session.js'

/**
 * Has this tab show another tenant of the same person, and for an operator the deployment; nothing where there is only one of them. Other
 * tabs go on to show theirs.
 */
export function TenantSwitch(): ReactNode {
  const t = useText()
  const { session, tenant, refresh } = useSession()
  const { send, isBusy } = useSend(refresh)
  const tenants = session.tenants.map(({ id, name }) => ({ value: id, label: name }))
  const places = session.person.isOperator ? [{ value: '', label: t.operators.title }, ...tenants] : tenants
  if (places.length < 2) return null
  return (
    <NativeSelect
      size="xs"
      label={t.changeTenant}
      value={tenant?.id ?? ''}
      disabled={isBusy}
      data-test="tenant-switch"
      onChange={(event) => {
        const { value } = event.currentTarget
        void send(() => chooseTenant(value === '' ? null : value))
      }}
      data={places}
    />
  )
}
