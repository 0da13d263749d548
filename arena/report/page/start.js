document.querySelectorAll("table.sortable").forEach(sortable);
new Viewer(document.getElementById("viewer"), JSON.parse(document.getElementById("data").textContent));
