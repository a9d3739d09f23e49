"""Runs a notebook on the service at QUANTD_URL, with the key in QUANTD_API_KEY.

notebook.py NAME           runs examples/NAME.ipynb, and keeps its outputs, docs/tutorials/NAME.md and the pictures beside it
notebook.py NAME --check   runs it, and exits with 1 unless texts and page are those that are kept
"""
import base64
import pathlib
import sys

import nbformat
from nbclient import NotebookClient

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs/tutorials"


def main(name, *options):
    path = ROOT / "examples" / f"{name}.ipynb"
    kept = nbformat.read(path, as_version=4)
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    tidy(notebook)
    if options == ("--check",):
        return check(name, kept, notebook)
    nbformat.write(notebook, path)
    text, pictures = page(name, notebook)
    (PAGES / f"{name}.md").write_text(text)
    for file, data in pictures.items():
        (PAGES / file).parent.mkdir(exist_ok=True)
        (PAGES / file).write_bytes(data)
    return 0


def tidy(notebook):
    """Removes everything that changes from run to run."""
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}


def joined(outputs):
    """Text that was printed at once may arrive in pieces."""
    whole = []
    for output in outputs:
        if output.output_type == "stream" and whole and whole[-1].get("name") == output.name:
            whole[-1].text += output.text
        else:
            whole.append(output)
    return whole


def check(name, kept, run):
    """Texts must be equal; pictures depend on the fonts of the machine, and must only be there."""
    faults = []
    for number, (before, after) in enumerate(zip(kept.cells, run.cells)):
        if texts(before) != texts(after):
            faults.append(f"cell {number} printed\n{texts(after)}\ninstead of\n{texts(before)}")
        if len(images(before)) != len(images(after)):
            faults.append(f"cell {number} has {len(images(after))} pictures instead of {len(images(before))}")
    text, pictures = page(name, kept)
    if (PAGES / f"{name}.md").read_text() != text:
        faults.append(f"docs/tutorials/{name}.md is not that of the notebook")
    for file, data in pictures.items():
        if (PAGES / file).read_bytes() != data:
            faults.append(f"docs/tutorials/{file} is not that of the notebook")
    print("\n".join(faults) or f"{len(run.cells)} cells, {len(pictures)} pictures")
    return 1 if faults else 0


def texts(cell):
    found = []
    for output in cell.get("outputs", []):
        found.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return [text for text in found if text and not text.startswith("<Figure")]


def images(cell):
    data = [output.get("data", {}).get("image/png") for output in cell.get("outputs", [])]
    return [base64.b64decode(one) for one in data if one]


def page(name, notebook):
    """The notebook as Markdown, and its pictures by their paths in docs/tutorials/."""
    parts, pictures = [], {}
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(cell.source)
            continue
        parts.append(f"```python\n{cell.source}\n```")
        parts.extend(f"```\n{text.rstrip()}\n```" for text in texts(cell))
        for image in images(cell):
            file = f"{name}/{len(pictures) + 1}.png"
            pictures[file] = image
            parts.append(f"![Picture {len(pictures)}]({file})")
    return "\n\n".join(parts) + "\n", pictures


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
