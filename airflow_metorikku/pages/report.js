"use strict";
// Without this script the table shows every constraint.
for (const form of document.querySelectorAll("form.filter")) {
  const rows = Array.from(document.querySelectorAll("#constraints-table tbody tr"));
  const said = form.querySelector("output");
  const filter = () => {
    const text = form.elements.text.value.trim().toLowerCase();
    const status = form.elements.status.value;
    const metric = form.elements.metric.value;
    let count = 0;
    for (const row of rows) {
      const fits = (!text || row.textContent.toLowerCase().includes(text))
        && (!status || row.dataset.status === status)
        && (!metric || row.dataset.metric === metric);
      row.hidden = !fits;
      count += fits;
    }
    said.textContent = `${count} of ${rows.length} shown`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.hidden = false;
  filter();
}
