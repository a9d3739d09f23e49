/** Preact with tagged templates, as one module for all views. */

import htm from 'htm'
import { h } from 'preact'

export const html = htm.bind(h)
export { Fragment, render } from 'preact'
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
