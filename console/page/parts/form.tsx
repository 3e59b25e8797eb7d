import type { ComponentProps, ReactNode } from 'react'

/** A form that the page sends itself. */
export function Form({ onSubmit, ...props }: ComponentProps<'form'> & { onSubmit: () => void }): ReactNode {
  return (
    <form
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}
