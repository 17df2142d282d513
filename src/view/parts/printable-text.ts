import { type ComponentChildren, options, type VNode } from 'preact'
import { printable } from '../../lib/text/escape.ts'

/**
 * Makes invisible characters visible in all texts of the page, because most of them were written by agents. Imported first,
 * so that no component can forget it; attributes keep their text.
 */
export function makeTextsPrintable(): void {
  const before = options.vnode
  options.vnode = vnode => {
    const { props } = vnode as VNode<{ children?: ComponentChildren }>
    if (props?.children !== undefined) props.children = printableChildren(props.children)
    before?.(vnode)
  }
}

function printableChildren(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return printable(children)
  return Array.isArray(children) ? children.map(printableChildren) : children
}
