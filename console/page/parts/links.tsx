import { Anchor, Button, NavLink, type AnchorProps, type ButtonProps, type NavLinkProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

type Link<KitProps> = KitProps & Omit<ComponentProps<'a'>, keyof KitProps>

/** The kit's own are of any element, which the router cannot type; links are `a`. */
export const RoutedAnchor = createLink((props: Link<AnchorProps>): ReactNode => <Anchor {...props} />)

export const RoutedButton = createLink((props: Link<ButtonProps>): ReactNode => <Button component="a" {...props} />)

export const RoutedNavLink = createLink((props: Link<NavLinkProps>): ReactNode => <NavLink component="a" {...props} />)
